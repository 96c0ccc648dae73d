import type { Shard } from '../../engine/kernel/shard.ts'
import type { Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'

/** Fires the due timers of a worker's shards and hands their due deliveries to the pool. */
export type Ticker = {
  readonly tick: () => void
  /** Ticks at the end of the turn: something is due already. */
  readonly tickSoon: () => void
}

/** The part of a shard that a tick uses. */
type TickingShard = {
  /** Fires due timers; returns the deliveries whose attempt is due. */
  readonly tick: () => readonly Delivery[]
  readonly timerBacklog: Shard['timerBacklog']
}

/** Opens the ticker of one worker. */
export const openTicker = (
  shards: ReadonlyMap<number, TickingShard>,
  enqueue: (delivery: Delivery) => void,
): Ticker => {
  let isScheduled = false
  let heldTick: NodeJS.Timeout | null = null
  const tick = (): void => {
    isScheduled = false
    if (heldTick !== null) clearTimeout(heldTick)
    heldTick = null
    for (const shard of shards.values()) {
      shard.tick().forEach(enqueue)
      // A tick does a bounded part of what is due; if there is more, the next tick follows at once.
      const backlog = shard.timerBacklog()
      if (backlog === 'NOW') tickSoon()
      else if (backlog === 'SOON') heldTick ??= setTimeout(tick, bounds.heldTickMs)
    }
  }
  const tickSoon = (): void => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(tick)
  }
  return { tick, tickSoon }
}
