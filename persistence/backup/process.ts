import { rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { BackupJob, FromWriter, Point, ToWriter } from './backup.ts'
import { writeBackup } from './write.ts'

/**
 * The process that copies: what it reads, flushes, replays or breaks is no thread, no heap and no event loop of the service. It
 * gives way to the service in everything, and ends with it.
 */

// Of a core that both want, the service gets nine tenths; with the lowest priority a busy machine would never let this end.
setPriority(10)
try {
  // Where memory is short, this is what the system ends.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // It is as any other process, then.
}

/** What it writes into; also known where nothing else could be said any more. */
const partial = process.argv[2]!

const giveUp = (): void => {
  rmSync(partial, { recursive: true, force: true })
  process.exit(1)
}

process.once('disconnect', giveUp)
if (!process.connected) giveUp()

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
