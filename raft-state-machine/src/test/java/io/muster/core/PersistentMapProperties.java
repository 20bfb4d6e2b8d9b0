package io.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PersistentMapProperties {
    /** A number of 0 or more is put, one below 0 takes its opposite away. */
    @Property(tries = 500)
    void anyChanges_giveWhatATreeMapGives_andLeaveEarlierMapsAlone(
            @ForAll @Size(max = 200) List<@IntRange(min = -40, max = 40) Integer> changes) {
        PersistentMap<Integer, Integer> map = PersistentMap.empty();
        TreeMap<Integer, Integer> model = new TreeMap<>();
        int time = 0;
        for (int change : changes) {
            PersistentMap<Integer, Integer> before = map;
            TreeMap<Integer, Integer> modelBefore = new TreeMap<>(model);
            time++;
            if (change < 0) {
                map = map.without(-change);
                model.remove(-change);
            } else {
                map = map.with(change, time);
                model.put(change, time);
            }
            check(map, model);
            check(before, modelBefore);
        }
    }

    private static void check(PersistentMap<Integer, Integer> map, SortedMap<Integer, Integer> model) {
        assertThat(map.size()).isEqualTo(model.size());
        assertThat(map.keys()).isEqualTo(new ArrayList<>(model.keySet()));
        assertThat(map.values()).isEqualTo(new ArrayList<>(model.values()));
    }
}
