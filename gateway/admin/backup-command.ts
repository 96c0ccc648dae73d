import { resolve } from 'node:path'
import type { Command } from 'commander'
import { openProgressLine, type Progress } from './progress-line.ts'

/** `payments backup DIR`. */
export const addBackupCommand = (
  program: Command,
  options: {
    /** Calls a long operation of the running service; the signal gives it up. */
    readonly follow: (
      name: string,
      input: object,
      onProgress: (progress: object) => void,
      signal: AbortSignal,
    ) => Promise<Record<string, unknown>>
    readonly isJson: () => boolean
    readonly print: (result: Record<string, unknown>) => void
  },
): void => {
  program
    .command('backup')
    .argument('<DIR>', 'directory that it becomes: absent or empty')
    .description('copy the data directory of the running service, verify the copy, and say what it holds')
    .option('--without-master-key', 'leave out the key that opens the webhook secrets')
    .option('--no-verify', 'do not replay and compare the copy')
    .action(
      async (path: string, given: { readonly withoutMasterKey?: boolean; readonly verify: boolean }) => {
        const line = openProgressLine(!options.isJson())
        const leaving = new AbortController()
        const leave = (): void => leaving.abort()
        process.once('SIGINT', leave)
        const input = {
          path: resolve(path),
          verify: given.verify,
          masterKey: given.withoutMasterKey !== true,
        }
        try {
          const onProgress = (progress: object): void => line.tell(progress as Progress)
          const made = await options.follow('backup', input, onProgress, leaving.signal)
          line.end()
          options.print(made)
          if ((made.problems as readonly string[]).length > 0) process.exitCode = 1
        } catch (error) {
          line.end()
          if (!leaving.signal.aborted) throw error
          console.error('payments: given up; the service removes what it had written')
          process.exitCode = 130
        } finally {
          process.off('SIGINT', leave)
        }
      },
    )
}
