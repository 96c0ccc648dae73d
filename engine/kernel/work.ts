/**
 * Work that may take long: it gives way where it yields, about every millisecond, so that its caller can let others run
 * in between, and ends with its value.
 */
export type Work<Value> = Generator<undefined, Value, undefined>

/** Does it in one go: for whoever has nothing else to do. */
export const finish = <Value>(work: Work<Value>): Value => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
