import { rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { BackupJob, FromWriter, Point, ToWriter } from './backup.ts'
import { writeBackup } from './write.ts'

/**
 * The copying process: its reads, flushes, replays and failures stay out of the service's threads, heap and event
 * loops. It yields to the service in everything and ends with it.
 */

// On a contended core the service gets nine tenths. With the lowest priority a busy machine would never finish a
// backup.
setPriority(10)
try {
  // When memory runs out, the kernel ends this process first.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Then this process competes like any other.
}

/** The directory it writes into, passed as an argument so that it is known even before the first message. */
const partial = process.argv[2]!

const abandon = (): void => {
  rmSync(partial, { recursive: true, force: true })
  process.exit(1)
}

process.once('disconnect', abandon)
if (!process.connected) abandon()

let onPoint: (point: Point) => void = () => undefined

const pointNow = (): Promise<Point> =>
  new Promise((resolve) => {
    onPoint = resolve
    say({ type: 'point' })
  })

const say = (message: FromWriter, onSaid: () => void = () => undefined): void => {
  if (process.connected) process.send!(message, onSaid)
}

const write = async (job: BackupJob): Promise<FromWriter> => {
  try {
    const backup = await writeBackup(job, {
      pointNow,
      onProgress: (progress) => say({ type: 'progress', progress }),
    })
    return { type: 'made', backup }
  } catch (error) {
    return { type: 'failed', message: (error as Error).message }
  }
}

process.on('message', (message: ToWriter) => {
  switch (message.type) {
    case 'write':
      return void write(message.job).then((last) => say(last, () => process.exit()))
    case 'point':
      return onPoint(message.point)
  }
})
