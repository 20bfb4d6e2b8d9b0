package io.muster.simulation;

import io.muster.core.Command;
import io.muster.core.GroupLogic;
import io.muster.core.GroupRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A group type's logic that takes its time for each arrival. */
final class SlowLogic {
    private SlowLogic() {}

    /** @param work called at each arrival, and at the end of each decision */
    @SuppressWarnings("unchecked")
    static <C extends Command, R extends GroupRecord> GroupLogic<C, R> of(GroupLogic<C, R> logic, Runnable work) {
        return (GroupLogic<C, R>) Proxy.newProxyInstance(
                GroupLogic.class.getClassLoader(), new Class<?>[] {GroupLogic.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("conclude")) {
                        work.run();
                    }
                    try {
                        return method.invoke(logic, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
