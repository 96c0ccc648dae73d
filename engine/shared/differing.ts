/**
 * The changes that differ from the current state. A merchant may read an object, edit one field and send everything
 * back: only that field counts.
 */
export const differing = <State extends object>(state: State, changes: Partial<State>): Partial<State> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isSame(value, state[name as keyof State])),
  ) as Partial<State>

/** For plain values with a fixed order of keys, as metadata has. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
