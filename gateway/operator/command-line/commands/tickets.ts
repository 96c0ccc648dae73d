import type { Command } from 'commander'
import { type CommandContext, callsOperation, environmentOption } from '../command.ts'

/** `payments tickets …`. */
export const addTicketCommands = (program: Command, context: CommandContext): void => {
  const tickets = program.command('tickets').description('support tickets of companies, for the staff')
  const add = (name: string, description: string): Command =>
    tickets
      .command(name)
      .description(description)
      .option('--company <id>', 'those of one company')
      .addOption(environmentOption('those of one environment'))
      .action(callsOperation(context))
  const ofTicket = (name: string, description: string): Command =>
    add(name, description).argument('<id>', 'ticket id')
  add('list', 'list tickets, the next to be answered first').option(
    '--status <list>',
    'OPEN,WAITING_COMPANY,CLOSED (default: those that are not closed)',
  )
  ofTicket('show', 'show a ticket with its messages')
  ofTicket('reply', 'answer a ticket; a closed one opens again')
    .requiredOption('--text <text>', 'the answer, in plain text')
    .requiredOption('--name <name>', 'who answers, as the company reads it')
  ofTicket('close', 'close a ticket')
}
