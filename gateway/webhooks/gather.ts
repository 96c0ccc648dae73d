import type { Waiter } from '../../engine/kernel/handler.ts'
import type { AccountId } from '../../engine/shared/ids.ts'

/**
 * Gathers items of one account and kind during a turn of the event loop, so that one command, and one entry of the
 * journal, covers all of them. Each item's waiter receives the outcome of the command.
 */
export type Gather<Item> = (accountId: AccountId, item: Item, to: Waiter<void>, kind?: string) => void

/** Opens a gatherer for a worker. */
export const newGather = <Item>(options: {
  readonly max: number
  /** Sends the command for these items. */
  readonly send: (accountId: AccountId, items: readonly Item[], kind: string, to: Waiter<unknown>) => void
  /** Calls back at the end of the turn. */
  readonly later: (callback: () => void) => void
}): Gather<Item> => {
  const { max, send, later } = options
  let open = new Map<string, Gathered<Item>>()
  let full: Gathered<Item>[] = []

  const leave = (): void => {
    const all = [...full, ...open.values()]
    open = new Map()
    full = []
    for (const { accountId, items, waiters, kind } of all)
      send(accountId, items, kind, {
        resolve: () => {
          for (const waiter of waiters) waiter.resolve()
        },
        reject: (error) => {
          for (const waiter of waiters) waiter.reject(error)
        },
      })
  }

  return (accountId, item, to, kind = '') => {
    const key = `${accountId}${kind}`
    let gathered = open.get(key)
    if (gathered === undefined) {
      if (open.size === 0 && full.length === 0) later(leave)
      gathered = { accountId, kind, items: [], waiters: [] }
      open.set(key, gathered)
    }
    gathered.items.push(item)
    gathered.waiters.push(to)
    if (gathered.items.length === max) {
      full.push(gathered)
      open.delete(key)
    }
  }
}

type Gathered<Item> = {
  readonly accountId: AccountId
  readonly kind: string
  readonly items: Item[]
  readonly waiters: Waiter<void>[]
}
