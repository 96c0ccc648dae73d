import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads'
import { providers } from '../../gateway/providers/index.ts'
import { modules } from '../../gateway/providers/modules.ts'
import { start } from '../../gateway/runtime/start.ts'
import { startWorker } from '../../gateway/runtime/worker.ts'
import { type HeldPoint, holdProviders } from '../rails/faults/held-providers.ts'
import { moveClock, realWait } from '../rails/faults/moved-clock.ts'

/**
 * The service as `gateway/runtime/main.ts` composes it, but whose clock the test moves on, and whose calls to providers it can hold: a process
 * is killed there as the table of faults says. It is a program of its own, because nobody can hold the real one just then.
 */
export type HeldOrder =
  | { readonly type: 'MOVE'; readonly ms: number }
  | ({ readonly type: 'HOLD' } & HeldPoint)
  /** Lets answers that are held go on, and ends so many turns of the event loop later, without a word. */
  | { readonly type: 'DIE'; readonly turns: number }

export type HeldWord =
  | { readonly type: 'DONE'; readonly number: number }
  | { readonly type: 'REACHED'; readonly connectionId: string }

type Numbered = HeldOrder & { readonly number: number }

const orders = new BroadcastChannel('held orders')
const words = new BroadcastChannel('held words')
const say = (word: HeldWord): void => {
  if (isMainThread) process.send!(word)
  else words.postMessage(word)
}

const held = holdProviders(modules, (connectionId) => say({ type: 'REACHED', connectionId }))

const obey = async (order: Numbered): Promise<void> => {
  switch (order.type) {
    case 'MOVE':
      moveClock(order.ms)
      await idle()
      break
    case 'HOLD':
      held.hold(order)
      break
    case 'DIE':
      held.release()
      for (let turn = 0; turn < order.turns; turn++) await new Promise(setImmediate)
      if (!isMainThread) process.kill(process.pid, 'SIGKILL')
  }
  say({ type: 'DONE', number: order.number })
}

/** What the time made due is done, but for what a bank does not answer. */
const idle = async (): Promise<void> => {
  for (let quiet = 0, turn = 0; quiet < 3 && turn < 150; turn++) {
    await realWait(2)
    quiet = held.running() === 0 ? quiet + 1 : 0
  }
}

if (isMainThread) {
  words.onmessage = ({ data }) => process.send!(data as HeldWord)
  process.on('message', (order: Numbered) => {
    orders.postMessage(order)
    void obey(order)
  })
  await start(new URL(import.meta.url), held.modules)
} else {
  orders.onmessage = ({ data }) => void obey(data as Numbered)
  await startWorker(workerData, providers, held.modules)
}
