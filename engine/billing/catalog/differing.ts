/**
 * What of the changes is not so already: a change to what is there is none. Not all of a body that a merchant read, edited
 * in one place and sent back is a change then.
 */
export const differing = <State extends object>(state: State, changes: Partial<State>): Partial<State> =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isSame(value, state[name as keyof State])),
  ) as Partial<State>

/** Of plain values whose keys are in one order, as those of metadata are. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
