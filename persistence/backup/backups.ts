import { type ChildProcess, fork } from 'node:child_process'
import type { WorkProgress } from '../base/progress.ts'
import type {
  Backup,
  BackupJob,
  BackupPeer,
  BackupRequest,
  FromWriter,
  LogEnds,
  Point,
  ToWriter,
} from './backup.ts'
import { BackupRefusal } from './refusal.ts'
import { makeTarget } from './target.ts'
import { openBackupUnderWay } from './under-way.ts'

/** Copies of this process's data directory, one at a time. */
export type Backups = {
  /**
   * Resolves when the copy is complete and on disk. Throws `BackupRefusal` when it cannot be made or the signal aborts
   * it; nothing is left behind then.
   */
  readonly make: (
    request: BackupRequest,
    onProgress: (progress: WorkProgress) => void,
    signal: AbortSignal,
  ) => Promise<Backup>
  /** Aborts the backup under way. */
  readonly close: () => Promise<void>
}

/** Makes backups in a child process, so that the service keeps its threads and heap. */
export const openBackups = (options: {
  readonly dataDir: string
  /** The version of this program. */
  readonly service: string
  readonly masterKey: Uint8Array
  readonly realNow: () => number
  /** Where the cluster's logs end; null outside a cluster. */
  readonly logEnds: (() => Promise<LogEnds>) | null
  /** Has this node hold all shards while a backup is made, and resolves when it does; null outside a cluster. */
  readonly gather: ((isOn: boolean) => Promise<unknown>) | null
  /** Hears of what a process that was killed in the middle of a backup had left, and is removed. */
  readonly onLeft: (partial: string) => void
}): Backups => {
  const { dataDir, service, masterKey, realNow, logEnds, gather } = options
  const underWay = openBackupUnderWay(dataDir, options.onLeft)
  const closing = new AbortController()
  let making: { readonly path: string; readonly made: Promise<unknown> } | null = null

  const pointNow = async (): Promise<Point> => {
    const atMs = realNow()
    return { atMs, ends: (await logEnds?.()) ?? null }
  }

  const make: Backups['make'] = async (request, onProgress, signal) => {
    if (making !== null)
      throw new BackupRefusal(`there is one backup at a time, and ${making.path} is being written`)
    const target = makeTarget(request.path)
    const { path, partial } = target
    underWay.begin(partial)
    // An increment needs its full backup, where the operator chose whether to include the key.
    const key = request.masterKey && request.after === null ? masterKey : null
    const job = { ...request, path, partial, dataDir, service, key }
    const isOver = AbortSignal.any([signal, closing.signal])
    const gathered = Promise.race([gather?.(true), aborted(isOver)])
    const made = gathered
      .then(() => writeInProcess(job, { pointNow, onProgress }, isOver))
      .catch(async (error: unknown) => {
        await target.discard()
        throw error
      })
    making = { path, made }
    try {
      return await made
    } finally {
      void gather?.(false)
      making = null
      underWay.end()
    }
  }

  return {
    make,
    close: async () => {
      closing.abort()
      await making?.made.catch(() => undefined)
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const writeInProcess = (
  job: BackupJob,
  { pointNow, onProgress }: BackupPeer,
  signal: AbortSignal,
): Promise<Backup> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL('./backup-process.js', import.meta.url), [job.partial], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const say = (message: ToWriter): void => {
      // A process that has ended receives nothing; its exit says more.
      if (child.connected) child.send(message, () => undefined)
    }
    let backup: Backup | null = null
    let refusal: string | null = null
    const complaint = lastLineOf(child)
    const end = (why: string): void => {
      refusal ??= why
      child.kill('SIGKILL')
    }
    const onAbort = (): void => end('the backup was given up, and what was written is removed')
    signal.addEventListener('abort', onAbort)
    child.on('message', (message: FromWriter) => {
      switch (message.type) {
        case 'point':
          return void pointNow().then(
            (point) => say({ type: 'point', point }),
            (error: Error) => end(`what the cluster has acknowledged is not known: ${error.message}`),
          )
        case 'progress':
          return onProgress(message.progress)
        case 'made':
          backup = message.backup
          return
        case 'failed':
          return end(message.message)
      }
    })
    child.once('error', (error) => end(error.message))
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort)
      if (backup !== null) return resolve(backup)
      reject(
        new BackupRefusal(
          refusal ?? `the process that wrote it ended with ${killedBy ?? code}${complaint()}`,
        ),
      )
    })
    if (signal.aborted) onAbort()
    say({ type: 'write', job })
  })

const lastLineOf = (child: ChildProcess): (() => string) => {
  let text = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-2000)
  })
  return () => {
    const line = text.trim().split('\n').at(-1)
    return line ? `: ${line}` : ''
  }
}
