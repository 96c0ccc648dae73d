import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { type CommandContext, environmentOption, followOperation } from '../command.ts'
import { openProgressLine, shareText } from '../output/progress-line.ts'

/** `payments export FILE`: the API's export without its limit on rows. */
export const addExportCommand = (program: Command, context: CommandContext): void => {
  program
    .command('export')
    .argument('<FILE>', 'CSV file that it becomes, or - for the standard output')
    .description('write the transactions of a company as CSV')
    .option('--company <id>', 'whose (may be left out where there is only one)')
    .addOption(environmentOption('sandbox or production').makeOptionMandatory())
    .option('--from <date>', 'first day, in the time zone of the company')
    .option('--to <date>', 'last day, included')
    .action(async (path: string, { json: _, ...input }: Readonly<Record<string, unknown>>) => {
      const output = path === '-' ? process.stdout : createWriteStream(path)
      // The file cannot be written, or the reader of the pipe has gone.
      output.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') console.error(`payments: ${error.message}`)
        process.exit(error.code === 'EPIPE' ? 0 : 1)
      })
      const line = openProgressLine(path !== '-' && !context.isJson())
      const made = await followOperation(context, 'export', input, async ({ csv, done, of }) => {
        const hasRoom = output.write(String(csv))
        line.show(`${shareText(Number(done), Number(of))} transactions`)
        // Rows that the disk or the reader of the pipe has not taken yet must not gather here.
        if (!hasRoom) await once(output, 'drain')
      }).finally(line.end)
      await ended(output)
      if (made === null) {
        console.error('payments: given up; the file is not complete')
        process.exitCode = 130
      } else if (context.isJson()) console.error(JSON.stringify(made))
      else if (path !== '-') console.log(`${Number(made.rows).toLocaleString('en')} transactions in ${path}`)
    })
}

/** Standard output stays open until the process ends. */
const ended = async (output: Writable): Promise<void> => {
  if (output === process.stdout) return
  output.end()
  await once(output, 'close')
}
