import type { Answers, Command, Query } from './registry.ts'
import type { Reply } from './reply.ts'

/**
 * Takes an outcome. Exactly one of the two is called, once, perhaps before the call that took this waiter returns;
 * neither throws. Requests wait by callbacks, not promises, because many of them wait for the same flush.
 */
export type Waiter<Value> = {
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
  /** Whether the one who waits has left: a long answer need not be finished. */
  readonly hasLeft?: () => boolean
}

/** Whether the one who waits has left, as far as the waiter can know. */
export const isGone = (to: Waiter<never>): boolean => to.hasLeft?.() === true

/** The outcome as a promise, for callers that wait for little else. */
export const promised = <Value>(begin: (to: Waiter<Value>) => void): Promise<Value> =>
  new Promise((resolve, reject) => begin({ resolve, reject }))

/** Passes the outcome of a promise on. */
export const passOn = <Value>(promise: Promise<Value>, to: Waiter<Value>): void => {
  promise.then(
    (value) => to.resolve(value),
    (error) => to.reject(error),
  )
}

/** Waits for nothing: due work has no client. */
export const nobody: Waiter<unknown> = { resolve: () => undefined, reject: () => undefined }

/** Takes commands and queries. */
export type Handler = {
  /** Performs a command. The reply comes once its facts are on disk; a refusal once the state it was decided on is. */
  readonly perform: (command: Command, to: Waiter<Reply>) => void
  /** Answers a query: at once, unless the answer is not on disk yet or takes long to find; then other work runs in between. */
  readonly answer: <Asked extends Query>(query: Asked, to: Waiter<Answers[Asked['type']]>) => void
  /** Performs a command; resolves to the reply. */
  readonly execute: (command: Command) => Promise<Reply>
  /** Resolves to the answer. */
  readonly query: <Asked extends Query>(query: Asked) => Promise<Answers[Asked['type']]>
}

/** A handler whose `execute` and `query` wrap these two functions in promises. */
export const handlerOf = (perform: Handler['perform'], answer: Handler['answer']): Handler => ({
  perform,
  answer,
  execute: (command) => promised((to) => perform(command, to)),
  query: (query) => promised((to) => answer(query, to)),
})
