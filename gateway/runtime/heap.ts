import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const mebibyte = 1024 * 1024

/** V8's default for new objects: three semi-spaces of 16 MiB. It counts them into the limit. */
const newObjectsBytes = 48 * mebibyte

/** What `--max-old-space-size` allows each thread. */
const heapMaxMb = (): number => Math.round((getHeapStatistics().heap_size_limit - newObjectsBytes) / mebibyte)

/** What a thread holds after its first requests and documents, with room for what comes and goes. */
const heapNeededMb = 96

/** What a kept state takes: 3.4 kB measured for a PIX charge. */
const stateBytes = 4 * 1024

/** How many states each shard of a worker may keep: as many as the setting says, or as few as its heap has room for beside the rest. */
export const hotStatesIn = (setting: number, shardsOfWorker: number): number => {
  const room = (heapMaxMb() - heapNeededMb / 2) * mebibyte * 0.4
  return Math.min(setting, Math.floor(room / stateBytes / shardsOfWorker))
}

const advice = 'raise it with NODE_OPTIONS=--max-old-space-size=…, in MiB'

/** Why the heap does not suffice for a start, in a line for the operator; null if it does. */
export const tooSmallHeap = (): string | null =>
  heapMaxMb() >= heapNeededMb
    ? null
    : `a heap of ${heapMaxMb()} MiB is too small: each thread needs at least ${heapNeededMb}; ${advice}`

/** The same of a heap that turned out to be too small while the service ran. */
export const heapFull = (): string => `the heap of ${heapMaxMb()} MiB of a thread is full; ${advice}`

/**
 * Calls back, once, when what is in use fills this thread's heap. V8 would soon end the process with pages of native stack; or a worker
 * thread alone, which the native transport does not survive.
 */
export const watchHeap = (onFull: () => void): void => {
  const observer = new PerformanceObserver(() => {
    if (!isNearlyFull()) return
    // Some of it may be garbage, which V8 would collect no earlier than when there is no room at all.
    collectGarbage()
    if (!isNearlyFull()) return
    observer.disconnect()
    onFull()
  })
  observer.observe({ entryTypes: ['gc'] })
}

const isNearlyFull = (): boolean => oldObjectsBytes() > fullShare * heapMaxMb() * mebibyte

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** V8 gives up from 80 % on, once collecting takes most of the time. */
const fullShare = 0.78

const oldObjectsBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_') && space_name !== 'read_only_space')
    .reduce((sum, space) => sum + space.space_used_size, 0)
