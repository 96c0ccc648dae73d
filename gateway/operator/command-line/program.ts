import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import type { CommandContext } from './command.ts'
import { addArchiveCommands } from './commands/archive.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addCheckoutCommands } from './commands/checkout.ts'
import { addClusterCommands } from './commands/cluster.ts'
import { addCompanyCommands } from './commands/companies.ts'
import { addConnectionCommands } from './commands/connections.ts'
import { addExportCommand } from './commands/export.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addLinkCommands } from './commands/links.ts'
import { addListenCommand } from './commands/listen.ts'
import { addLogsCommand } from './commands/logs.ts'
import { addPeopleCommands } from './commands/people.ts'
import { addReconciliationCommands } from './commands/reconciliation.ts'
import { addRestoreCommand, type Restore } from './commands/restore.ts'
import { addSandboxCommands } from './commands/sandbox.ts'
import { addTicketCommands } from './commands/tickets.ts'
import { addVerifyCommand, type Verify } from './commands/verify.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { serviceAt } from './service.ts'

/** The commands that work on a data directory. */
export type OfflineCommands = {
  readonly start: () => Promise<void>
  readonly verify: Verify
  readonly restore: Restore
}

const whereSettingsAre =
  'Settings are environment variables, such as PORT, HOST, DATA_DIR, PUBLIC_URL and MASTER_KEY_FILE. All of them, with\n' +
  'their defaults, are in docs/en/settings.md of this package, and at /docs/en/settings of a running service.'

/** The command line: help for every command, text for people by default, JSON with `--json`. */
export const commandLine = (offline: OfflineCommands, dataDir: () => string, version: string): Command => {
  const program = new Command('payments')
    .description('A payments service for Brazil that a company runs itself.')
    .version(version)
    .option('--json', 'print JSON')
  const context: CommandContext = { service: serviceAt(dataDir), isJson: () => isJson(program) }

  program
    .command('start')
    .description('start the service (settings are environment variables)')
    .addHelpText('after', `\n${whereSettingsAre}`)
    .action(offline.start)
  addVerifyCommand(program, offline.verify, context.isJson)
  addBackupCommand(program, context)
  addRestoreCommand(program, context, offline.restore)
  addExportCommand(program, context)
  addArchiveCommands(program, context)
  addCompanyCommands(program, context)
  addConnectionCommands(program, context)
  addKeyCommands(program, context)
  addPeopleCommands(program, context)
  addWebhookCommands(program, context)
  addTicketCommands(program, context)
  addLinkCommands(program, context)
  addReconciliationCommands(program, context)
  addCheckoutCommands(program, context)
  addSandboxCommands(program, context)
  addListenCommand(program, context)
  addLogsCommand(program, context)
  addClusterCommands(program, context)
  for (const command of allCommands(program)) {
    if (command !== program && command.commands.length === 0) command.option('--json', 'print JSON')
  }
  tab(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')!
    .description('print what makes a shell complete commands: bash, zsh, fish or powershell')
  return program
}

const allCommands = (program: Command): readonly Command[] => [
  program,
  ...program.commands,
  ...program.commands.flatMap(({ commands }) => commands),
]

const isJson = (program: Command): boolean =>
  allCommands(program).some((command) => command.opts().json === true)
