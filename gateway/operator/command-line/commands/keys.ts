import type { Command } from 'commander'
import { type CommandContext, callsOperation, environmentOption } from '../command.ts'

/** `payments keys …`. */
export const addKeyCommands = (program: Command, context: CommandContext): void => {
  const keys = program.command('keys').description('API keys')
  keys
    .command('create')
    .description('create an API key; its secret is shown this once')
    .requiredOption('--company <id>', 'company id')
    .addOption(environmentOption('sandbox or production').makeOptionMandatory())
    .option('--name <name>', 'for people to tell keys apart')
    .option('--scopes <list>', 'scopes, separated by commas')
    .option('--ip-allow-list <networks>', 'the networks (CIDR) that may use it, separated by commas')
    .option('--expires-at <time>', 'when it stops working (ISO 8601)')
    .action(callsOperation(context))
  keys
    .command('list')
    .description('list keys')
    .option('--company <id>', 'those of one company')
    .action(callsOperation(context))
  keys
    .command('update')
    .argument('<id>', 'key id')
    .description('change the name or the networks of a key, or take scopes away')
    .option('--name <name>', 'new name')
    .option('--scopes <list>', 'the scopes that it keeps, separated by commas')
    .option('--ip-allow-list <networks>', 'networks (CIDR), separated by commas; an empty text for all')
    .action(callsOperation(context))
  keys
    .command('roll')
    .argument('<id>', 'key id')
    .description('make a new secret with the same scopes, shown this once; the old one works for a while')
    .option('--overlap <time>', 'how long the old one works: 0s, 1h, … 7d', '24h')
    .action(callsOperation(context))
  keys
    .command('revoke')
    .argument('<id>', 'key id')
    .description('revoke a key, at once and for good')
    .action(callsOperation(context))
}
