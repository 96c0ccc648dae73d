import type { Command } from 'commander'
import { type CommandContext, callsOperation, environmentOption } from '../command.ts'

/** `payments suspense …` and `payments reconciliations …`, which only read. */
export const addReconciliationCommands = (program: Command, context: CommandContext): void => {
  const lists = (group: Command, description: string): Command =>
    group
      .command('list')
      .description(description)
      .option('--company <id>', 'company id (needed where there are several)')
      .addOption(environmentOption('sandbox or production').makeOptionMandatory())
      .option('--page <number>', 'page of 200 (default: 1)')
      .action(callsOperation(context))
  const shows = (group: Command, id: string, description: string): Command =>
    group.command('show').argument('<id>', id).description(description).action(callsOperation(context))

  const suspense = program
    .command('suspense')
    .description('money that a bank took and that belongs to no charge; people decide about it')
  lists(suspense, 'list money in suspense, newest first').option(
    '--status <list>',
    'OPEN,RETURNING,RETURNED,ASSIGNED,WRITTEN_OFF (by default OPEN)',
  )
  shows(suspense, 'id of the money, ssp_…', 'show money in suspense, and what became of it')

  const reconciliations = program
    .command('reconciliations')
    .description('days of connections whose books were compared; people accept what differs')
  lists(reconciliations, 'list the days whose books were compared, the newest comparison first')
    .option('--status <list>', 'EQUAL,DIFFERENT,ACCEPTED (all by default)')
    .option('--connection <id>', 'only those of this connection')
    .option('--date <day>', 'only this day, such as 2026-03-31')
  shows(reconciliations, 'id of the reconciliation, rcn_…', 'show a day with what differs')
}
