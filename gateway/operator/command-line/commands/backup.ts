// The commands, one function for each group, which adds it to the program.
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
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
    .addOption(
      new Option('--master-key <choice>', 'whether the key that opens its secrets is in a full backup')
        .choices(['include', 'exclude'])
        .default('include'),
    )
    .option('--no-verify', 'do not replay and compare the copy')
    .action(
      async (
        path: string,
        given: {
          readonly after?: string
          readonly masterKey: 'include' | 'exclude'
          readonly verify: boolean
        },
      ) => {
        const line = openProgressLine(!context.isJson())
        const input = {
          path: resolve(path),
          ...(given.after !== undefined && { after: resolve(given.after) }),
          verify: given.verify,
          masterKey: given.masterKey === 'include',
        }
        const onProgress = (progress: object): void => line.show(progressText(progress as Progress))
        const made = await followOperation(context, 'backup', input, onProgress).finally(line.end)
        if (made === null) {
          console.error('payments: given up; the service removes what it had written')
          process.exitCode = 130
          return
        }
        print(made, context.isJson())
        if (!context.isJson()) console.log(aboutMasterKey(made))
        if ((made.problems as readonly string[]).length > 0) process.exitCode = 1
      },
    )
}

/** The master key in a backup decides who may see the backup, so every backup says where the key is. */
const aboutMasterKey = ({ kind, masterKey }: Record<string, unknown>): string => {
  if (masterKey === 'INCLUDED')
    return 'The master key is in this backup: whoever has it can read its secrets. --master-key exclude leaves it out.'
  return kind === 'INCREMENT'
    ? 'The master key is not in it: no increment has it.'
    : `The master key is not in this backup: ${masterKeyNeeded}.`
}

/** What a data directory without its master key needs before a service starts with it. */
export const masterKeyNeeded =
  'a service starts with what is restored once the key is there as master.key, or MASTER_KEY_FILE names it'
