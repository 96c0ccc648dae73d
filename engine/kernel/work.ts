/** Long work: it yields about every millisecond so that its caller can run others in between, and returns its value. */
export type Work<Value> = Generator<undefined, Value, undefined>

/** Runs work to its end at once, for callers with nothing else to do meanwhile. */
export const finish = <Value>(work: Work<Value>): Value => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
