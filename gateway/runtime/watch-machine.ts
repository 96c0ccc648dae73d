import type { Logger } from 'pino'
import { every } from '../../persistence/base/pulse.ts'
import { watchDiskSpace } from '../../persistence/disk/disk-space.ts'
import { descriptorsMax, descriptorsOpen } from '../observability/descriptors.ts'

/**
 * Logs an error while the disk of the data directory is full; the shards refuse writes by themselves. Calls back
 * when new connections should be refused because few file descriptors are left, and when there are enough again.
 */
export const watchMachine = (options: {
  readonly dataDir: string
  readonly log: Pick<Logger, 'error'>
  readonly setAccepting: (isOn: boolean) => void
}): void => {
  watchDisk(options)
  watchDescriptors(options)
}

const watchDisk = ({ dataDir, log }: Pick<Parameters<typeof watchMachine>[0], 'dataDir' | 'log'>): void => {
  const space = watchDiskSpace(dataDir)
  const look = (): void => {
    try {
      space.look()
      const trouble = space.trouble()
      if (trouble !== null) log.error(trouble.message)
    } catch (err) {
      log.error({ err }, 'the disk of the data directory cannot be looked at')
    }
  }
  look()
  every(lookAtDiskMs, look)
}

const watchDescriptors = ({
  log,
  setAccepting,
}: Omit<Parameters<typeof watchMachine>[0], 'dataDir'>): void => {
  const max = descriptorsMax()
  if (max === null) return
  const kept = Math.min(keptDescriptorsMax, Math.floor(max / 4))
  let isAccepting = true
  const look = (): void => {
    const free = max - (descriptorsOpen() ?? 0)
    const isShort = free < (isAccepting ? kept : 1.5 * kept)
    if (isShort) log.error(tooManyConnections(max, kept))
    if (isShort === isAccepting) {
      isAccepting = !isShort
      setAccepting(isAccepting)
    }
    const nextMs = (free - kept) / connectionsPerMsMax
    setTimeout(look, Math.min(Math.max(nextMs, lookAtDescriptorsMsMin), lookAtDiskMs)).unref()
  }
  look()
}

const tooManyConnections = (max: number, kept: number): string =>
  `fewer than ${kept} of ${max} file descriptors are left: new connections are refused; raise the limit (ulimit -n, or LimitNOFILE of systemd)`

const lookAtDiskMs = 1_000
/**
 * Connections arrive quickly, and the native transport does not survive running out of descriptors; but counting
 * the open ones takes longer the more there are.
 */
const connectionsPerMsMax = 50
const lookAtDescriptorsMsMin = 10
/** Descriptors reserved for webhooks, files, and the connections that arrive before the next check. */
const keptDescriptorsMax = 1_024
