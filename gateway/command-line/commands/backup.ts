import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type CommandContext, followOperation } from '../command.ts'
import { print } from '../output/print.ts'
import { openProgressLine, type Progress, progressText } from '../output/progress-line.ts'

/** `payments backup DIR`, and `payments backup DIR --after BACKUP` for an increment. */
export const addBackupCommand = (program: Command, context: CommandContext): void => {
  program
    .command('backup')
    .argument('<DIR>', 'directory that it becomes: absent or empty')
    .description('copy the data directory of the running service, verify the copy, and say what it holds')
    .option('--after <BACKUP>', 'write only what this earlier backup, full or an increment, does not have')
    .option('--without-master-key', 'leave out the key that opens the webhook secrets')
    .option('--no-verify', 'do not replay and compare the copy')
    .action(
      async (
        path: string,
        given: { readonly after?: string; readonly withoutMasterKey?: boolean; readonly verify: boolean },
      ) => {
        const line = openProgressLine(!context.isJson())
        const input = {
          path: resolve(path),
          ...(given.after !== undefined && { after: resolve(given.after) }),
          verify: given.verify,
          masterKey: given.withoutMasterKey !== true,
        }
        const onProgress = (progress: object): void => line.show(progressText(progress as Progress))
        const made = await followOperation(context, 'backup', input, onProgress).finally(line.end)
        if (made === null) {
          console.error('payments: given up; the service removes what it had written')
          process.exitCode = 130
          return
        }
        print(made, context.isJson())
        if ((made.problems as readonly string[]).length > 0) process.exitCode = 1
      },
    )
}
