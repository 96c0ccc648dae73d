import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const mebibyte = 1024 * 1024

/** V8's default for new objects: three semi-spaces of 16 MiB, which its limit includes. */
const newObjectsBytes = 48 * mebibyte

/** What `--max-old-space-size` allows each thread. */
const heapMaxMb = (): number => Math.round((getHeapStatistics().heap_size_limit - newObjectsBytes) / mebibyte)

/** The heap of a thread after its first requests and documents, with room for short-lived objects. */
const heapNeededMb = 96

/** The size of a state in memory: 3.4 kB measured for a PIX charge. */
const stateBytes = 4 * 1024

/** How many states each shard of a worker may keep: the setting, or fewer if the heap has no room. */
export const hotStatesIn = (setting: number, shardsOfWorker: number): number => {
  const room = (heapMaxMb() - heapNeededMb / 2) * mebibyte * 0.4
  return Math.min(setting, Math.floor(room / stateBytes / shardsOfWorker))
}

const advice = 'raise it with NODE_OPTIONS=--max-old-space-size=…, in MiB'

/** The operator's line for a heap that is too small to start; null if it suffices. */
export const tooSmallHeap = (): string | null =>
  heapMaxMb() >= heapNeededMb
    ? null
    : `a heap of ${heapMaxMb()} MiB is too small: each thread needs at least ${heapNeededMb}; ${advice}`

/** The operator's line for a heap that filled up while the service ran. */
export const heapFull = (): string => `the heap of ${heapMaxMb()} MiB of a thread is full; ${advice}`

/**
 * Calls back, once, when live objects fill this thread's heap. V8 would soon end the process with pages of native
 * stack, or end a worker thread alone, which the native transport does not survive.
 */
export const watchHeap = (onFull: () => void): void => {
  const observer = new PerformanceObserver(() => {
    if (!isNearlyFull()) return
    // Some of it may be garbage, which V8 would otherwise collect only once the heap is full.
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
