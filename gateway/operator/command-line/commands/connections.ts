import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { type CommandContext, callsOperation, environmentOption, type Options } from '../command.ts'
import { print } from '../output/print.ts'
import type { TableRow } from '../output/table.ts'
import { CommandFailure } from '../service.ts'

/** `payments connections …`. */
export const addConnectionCommands = (program: Command, context: CommandContext): void => {
  const connections = program
    .command('connections')
    .description('connections of companies to banks and acquirers')
  const ofConnection = (name: string, description: string): Command =>
    connections
      .command(name)
      .argument('<id>', 'connection id')
      .description(description)
      .action(callsOperation(context, withSettings))
  connections
    .command('create')
    .description('make a connection, as a draft; verify and activate it then')
    .requiredOption('--company <id>', 'company id')
    .addOption(environmentOption('production: the Sandbox has providers of its own').makeOptionMandatory())
    .requiredOption('--provider <name>', 'the bank or acquirer')
    .requiredOption('--settings <file>', 'its settings, as a JSON object; secrets are sealed')
    .addOption(
      new Option('--role <role>', 'what takes new charges while it works (default: primary)').choices([
        'primary',
        'fallback',
      ]),
    )
    .option('--rails <list>', 'PIX,BOLETO,CARD,PAYOUT (all that the provider has by default)')
    .action(callsOperation(context, withSettings))
  connections
    .command('list')
    .description('list connections')
    .option('--company <id>', 'those of one company')
    .addOption(environmentOption('those of one environment'))
    .action(callsOperation(context))
  connections
    .command('providers')
    .argument('[name]', 'show the settings of this one')
    .description('list the banks and acquirers to connect to, and what each needs')
    .action((name?: string) => showProviders(context, name))
  ofConnection('get', 'show a connection, without its secrets')
  ofConnection('verify', 'open it, and ask the provider for a token and something harmless')
  ofConnection('activate', 'let new charges go by it')
  ofConnection('suspend', 'let nothing new go by it until it is resumed; refunds still do')
  ofConnection('resume', 'let new charges go by it once more')
  ofConnection(
    'rotate',
    'give it other credentials, which have to work; those before can be taken back for 24 hours',
  ).requiredOption('--settings <file>', 'those that change, as a JSON object; null removes one')
  ofConnection('restore', 'take the credentials back that it had before it was rotated')
  ofConnection('retire', 'end it for good; what came by it is still refunded by it')
}

/** All of them in a table, or one with each of its settings. */
const showProviders = async ({ service, isJson }: CommandContext, name?: string): Promise<void> => {
  const all = await service.ask('connections providers', {})
  if (name === undefined) return print(all, isJson())
  const providers = all.data as readonly TableRow[]
  const found = providers.find((provider) => provider.name === name)
  if (found === undefined)
    throw new CommandFailure(
      `there is no provider ${name}: ${providers.map((provider) => provider.name).join(', ')}`,
    )
  const settings = (found.settings as readonly TableRow[]).map((setting) => ({
    object: 'provider_setting',
    ...setting,
  }))
  print(isJson() ? found : { ...found, settings }, isJson())
}

/** Settings are in a file, because what is typed behind a command is in the history of a shell. */
const withSettings = ({ settings, ...options }: Options): object =>
  settings === undefined ? options : { ...options, settings: readSettingsFile(String(settings)) }

const readSettingsFile = (file: string): unknown => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandFailure(`${file} cannot be read`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The reason would quote a part of it.
    throw new CommandFailure(`${file} is not JSON`)
  }
}
