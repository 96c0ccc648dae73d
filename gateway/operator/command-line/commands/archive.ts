import type { Command } from 'commander'
import { type CommandContext, callsOperation, followOperation } from '../command.ts'
import { print } from '../output/print.ts'
import { openProgressLine, shareText } from '../output/progress-line.ts'

/** `payments archive …`. */
export const addArchiveCommands = (program: Command, context: CommandContext): void => {
  const archive = program.command('archive').description('the old part of the journals, packed')
  archive
    .command('status')
    .description('how far each shard is packed, how much that takes, and what is wrong')
    .action(callsOperation(context))
  archive
    .command('run')
    .description('pack entries that are old enough now; Ctrl-C leaves, and the service goes on')
    .option('--older-than-days <days>', 'by default ARCHIVE_AFTER_DAYS, or 3')
    .action(async ({ olderThanDays }: { readonly olderThanDays?: string }) => {
      const line = openProgressLine(!context.isJson())
      const onProgress = ({ entries, of }: Readonly<Record<string, unknown>>): void =>
        line.show(`packed: ${shareText(Number(entries), Number(of))}`)
      const input = olderThanDays === undefined ? {} : { olderThanDays }
      const packed = await followOperation(context, 'archive run', input, onProgress).finally(line.end)
      if (packed !== null) print(packed, context.isJson())
    })
}
