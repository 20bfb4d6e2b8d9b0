package io.muster.raft;

import java.util.EnumSet;
import java.util.List;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.ServerServiceDefinition;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/**
 * What Muster adds to Ratis's own on the Raft port.
 *
 * @param interceptors see every call, also those of Ratis; the last one first
 * @param services further services
 */
record RaftServices(List<ServerInterceptor> interceptors, List<ServerServiceDefinition> services)
        implements GrpcServices.Customizer {
    RaftServices {
        interceptors = List.copyOf(interceptors);
        services = List.copyOf(services);
    }

    @Override
    public NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        services.forEach(builder::addService);
        interceptors.forEach(builder::intercept);
        return builder;
    }

    /** What a Ratis server has to be built with. */
    Parameters parameters() {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, this);
        return parameters;
    }
}
