import tap, { type Test } from 'tap'

/**
 * Stands in for `tap` where one process runs several test files: each file gets a test of its own instead of the one of the process, which the
 * bundler resolves to this module. Files run one after the other, so that the present one is the one that asks.
 */
let present: Test | typeof tap = tap

/** Has a file's test stand for `tap`, until another file begins. */
export const beginFile = (test: Test): void => {
  present = test
}

export default new Proxy(tap, {
  get: (_, name) => {
    const value = Reflect.get(present, name)
    // Methods of tap look at what they are called on.
    return typeof value === 'function' ? value.bind(present) : value
  },
})
