package io.muster.core;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** An immutable ascending set of partition numbers, kept in an array: groups can have very many of them. */
public final class PartitionNumbers extends AbstractSet<Integer> implements SortedSet<Integer> {
    private final int[] numbers;
    private final int from;
    private final int to;

    /** Takes the array over. */
    private PartitionNumbers(int[] numbers, int from, int to) {
        this.numbers = numbers;
        this.from = from;
        this.to = to;
    }

    /** Copies any collection; duplicates fall together. */
    public static PartitionNumbers copyOf(Collection<Integer> numbers) {
        if (numbers instanceof PartitionNumbers same) {
            return same;
        }
        int[] sorted =
                numbers.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
        return new PartitionNumbers(sorted, 0, sorted.length);
    }

    /** The first {@code count} numbers of an array in which they stand in ascending order, none twice. */
    public static PartitionNumbers ofAscending(int[] numbers, int count) {
        for (int i = 1; i < count; i++) {
            if (numbers[i - 1] >= numbers[i]) {
                throw new IllegalArgumentException("not ascending: " + numbers[i - 1] + ", " + numbers[i]);
            }
        }
        return new PartitionNumbers(Arrays.copyOf(numbers, count), 0, count);
    }

    /** The numbers from 0 on, below {@code end}. */
    public static PartitionNumbers below(int end) {
        int[] numbers = new int[end];
        for (int number = 0; number < end; number++) {
            numbers[number] = number;
        }
        return new PartitionNumbers(numbers, 0, end);
    }

    /** The numbers at the places from {@code first} on, before {@code end}; shares the array. */
    public PartitionNumbers slice(int first, int end) {
        Objects.checkFromToIndex(first, end, size());
        return new PartitionNumbers(numbers, from + first, from + end);
    }

    /** The number at a place from 0 to {@link #size()} - 1, in ascending order. */
    public int at(int place) {
        return numbers[from + place];
    }

    public boolean contains(int number) {
        return Arrays.binarySearch(numbers, from, to, number) >= 0;
    }

    @Override
    public boolean contains(@Nullable Object number) {
        return number instanceof Integer some && contains(some.intValue());
    }

    @Override
    public int size() {
        return to - from;
    }

    @Override
    public PrimitiveIterator.OfInt iterator() {
        return Arrays.stream(numbers, from, to).iterator();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PartitionNumbers same
                ? Arrays.equals(numbers, from, to, same.numbers, same.from, same.to)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        int sum = 0;
        for (int place = from; place < to; place++) {
            sum += numbers[place];
        }
        return sum;
    }

    @Override
    public @Nullable Comparator<? super Integer> comparator() {
        return null;
    }

    @Override
    public SortedSet<Integer> subSet(Integer first, Integer end) {
        return new PartitionNumbers(numbers, placeOf(first), Math.max(placeOf(first), placeOf(end)));
    }

    @Override
    public SortedSet<Integer> headSet(Integer end) {
        return new PartitionNumbers(numbers, from, placeOf(end));
    }

    @Override
    public SortedSet<Integer> tailSet(Integer first) {
        return new PartitionNumbers(numbers, placeOf(first), to);
    }

    @Override
    public Integer first() {
        return element(from);
    }

    @Override
    public Integer last() {
        return element(to - 1);
    }

    private Integer element(int place) {
        if (isEmpty()) {
            throw new NoSuchElementException("no numbers");
        }
        return numbers[place];
    }

    private int placeOf(int number) {
        int place = Arrays.binarySearch(numbers, from, to, number);
        return place >= 0 ? place : -place - 1;
    }
}
