import type { Command } from 'commander'
import { type CommandContext, callsOperation, environmentOption } from '../command.ts'

/** `payments links …`. */
export const addLinkCommands = (program: Command, context: CommandContext): void => {
  const links = program.command('links').description('payment links: pages that many payers can pay at')
  const inPlace = (name: string, description: string): Command =>
    links
      .command(name)
      .description(description)
      .option('--company <id>', 'company id (needed where there are several)')
      .addOption(environmentOption('sandbox or production').makeOptionMandatory())
      .action(callsOperation(context))
  inPlace('list', 'list payment links, newest first')
    .option('--status <list>', 'ACTIVE,INACTIVE,EXPIRED,EXHAUSTED (all by default)')
    .option('--page <number>', 'page of 200 (default: 1)')
  inPlace('create', 'create a payment link, and print its address')
    .requiredOption('--title <text>', 'what payers read')
    .option('--name <text>', 'what the company calls it (by default the title)')
    .option('--amount <centavos>', 'what everybody pays')
    .option('--min-amount <centavos>', 'instead: the payer chooses, and this is the least')
    .option('--max-amount <centavos>', 'the most that the payer can choose')
    .option('--methods <list>', 'PIX,BOLETO,CREDIT_CARD,CRYPTO (by default those of active products)')
    .option('--installments <number>', 'up to so many on a card, without interest')
    .option('--max-payments <number>', 'how often it can be paid (without limit by default)')
    .option('--expires-at <time>', 'ISO 8601 date-time (never by default)')
  for (const [name, description] of [
    ['show', 'show a payment link with what was paid at it'],
    ['deactivate', 'take no new payments; pages that are open can still be paid'],
  ] as const)
    links
      .command(name)
      .argument('<id>', 'payment link id')
      .description(description)
      .action(callsOperation(context))
}
