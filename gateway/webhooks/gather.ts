import { nobody, type Waiter } from '../../engine/kernel/handler.ts'
import type { AccountId } from '../../engine/shared/ids.ts'

/**
 * Gathers items of one account and kind during a turn of the event loop, so that one command, and one entry of the journal, is for all
 * of them. Resolves, or rejects, with what became of the command.
 */
export type Gather<Item> = (accountId: AccountId, item: Item, kind?: string) => Promise<void>

/** Opens one for a worker. */
export const newGather = <Item>(options: {
  readonly max: number
  /** Gives the command for these items. */
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
    for (const { accountId, items, kind, to } of all) send(accountId, items, kind, to)
  }

  return (accountId, item, kind = '') => {
    const key = `${accountId}${kind}`
    let gathered = open.get(key)
    if (gathered === undefined) {
      if (open.size === 0 && full.length === 0) later(leave)
      gathered = newGathered(accountId, kind)
      open.set(key, gathered)
    }
    gathered.items.push(item)
    if (gathered.items.length === max) {
      full.push(gathered)
      open.delete(key)
    }
    return gathered.sent
  }
}

type Gathered<Item> = {
  readonly accountId: AccountId
  readonly kind: string
  readonly items: Item[]
  readonly sent: Promise<void>
  readonly to: Waiter<unknown>
}

const newGathered = <Item>(accountId: AccountId, kind: string): Gathered<Item> => {
  let to: Waiter<unknown> = nobody
  const sent = new Promise<void>((resolve, reject) => {
    to = { resolve: () => resolve(), reject }
  })
  return { accountId, kind, items: [], sent, to }
}
