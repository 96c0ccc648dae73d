import { useEffect, useState } from 'preact/hooks'

/** A value that components follow. */
export type Store<Value> = {
  readonly get: () => Value
  readonly set: (value: Value) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Makes a store that holds this value. */
export const newStore = <Value>(initial: Value): Store<Value> => {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store; the component renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value => {
  const [, render] = useState({})
  const value = store.get()
  useEffect(() => {
    // It may have changed since the component was rendered.
    if (!Object.is(store.get(), value)) render({})
    return store.subscribe(() => render({}))
  }, [store])
  return value
}
