import { executionAsyncResource } from 'node:async_hooks'

/**
 * Stands in for `async-hook-domain`, with which tap finds out whose test an error belongs to that nothing has caught. That one follows every
 * promise by an asynchronous hook, which takes two fifths of the processor time of what runs on promises. Here the error belongs to the
 * test that began last and has not ended: the same one, but for tests that run beside each other, of which the file fails all the same.
 */
export class Domain {
  destroyed = false
  /** tap makes a test, and its domain within it, when it is announced, which can be long before it begins. */
  test = executionAsyncResource().test

  constructor(onerror) {
    this.onerror = onerror
    if (living.size === 0) watch()
    living.add(this)
  }

  destroy() {
    if (!living.delete(this)) return
    this.destroyed = true
    if (living.size === 0) stopWatching()
  }
}

/** In the order in which they were announced: the file itself comes first, and a test after the one that it is part of. */
const living = new Set()

const domainOfError = () => {
  const domains = [...living]
  return domains.reverse().find(({ test }) => test?.started) ?? domains.at(-1)
}

const watch = () => {
  process.on('uncaughtExceptionMonitor', onUncaught)
  process.emit = emitButRejections
}

const stopWatching = () => {
  process.removeListener('uncaughtExceptionMonitor', onUncaught)
  process.emit = emit
}

/** Whether a test takes the error. A test that listens for such errors is about them, and has them to itself. */
const take = (error, kind) => {
  const domain = domainOfError()
  if (
    domain === undefined ||
    process.hasUncaughtExceptionCaptureCallback() ||
    process.listenerCount('uncaughtException') > 0
  )
    return false
  domain.onerror(error, kind)
  return true
}

/** The process ends after this event, but for a callback that takes the error: which is there for this one alone. */
const onUncaught = (error, kind) => {
  if (take(error, kind))
    process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
}

const { emit } = process
/** With a listener, Node would take every rejection for handled, those that no test takes as well. */
const emitButRejections = (event, ...values) =>
  event === 'unhandledRejection' && process.listenerCount(event) === 0
    ? take(values[0], event)
    : emit.call(process, event, ...values)
