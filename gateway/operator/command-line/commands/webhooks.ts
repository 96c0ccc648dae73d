import { type Command, Option } from 'commander'
import { eventTypes } from '../../../../engine/kernel/event-types.ts'
import { type CommandContext, callsOperation, environmentOption, type Options } from '../command.ts'
import { endpointInput, withEndpointOptions } from './endpoint-options.ts'

/** `payments webhooks …`. */
export const addWebhookCommands = (program: Command, context: CommandContext): void => {
  const webhooks = program.command('webhooks').description('webhook endpoints and their deliveries')
  const ofEndpoint = (name: string, description: string, inputOf?: (options: Options) => object): Command =>
    webhooks
      .command(name)
      .argument('<id>', 'endpoint id')
      .description(description)
      .action(callsOperation(context, inputOf))
  const create = webhooks
    .command('create')
    .description('register an endpoint; its secret is shown this once')
    .requiredOption('--company <id>', 'company id')
    .addOption(environmentOption('sandbox or production').makeOptionMandatory())
    .requiredOption('--url <url>', 'where events are sent')
    .option('--description <text>', 'what it is for')
    .option('--events <list>', 'event types, separated by commas (all by default)')
    .action(callsOperation(context, endpointInput))
  withEndpointOptions(create)
  webhooks
    .command('list')
    .description('list endpoints')
    .option('--company <id>', 'those of one company')
    .addOption(environmentOption('those of one environment'))
    .option('--deleted', 'deleted ones, too')
    .action(callsOperation(context))
  const update = ofEndpoint(
    'update',
    'change an endpoint; the next attempts go to the new URL, which needs its headers anew',
    endpointInput,
  )
    .option('--url <url>', 'where events are sent')
    .option('--description <text>', 'what it is for')
    .option('--events <list>', 'event types, separated by commas, or all')
  withEndpointOptions(update).option('--no-extra-events', 'only types that every endpoint receives')
  ofEndpoint('disable', 'send nothing to it until it is enabled; what waits for it is cancelled')
  ofEndpoint('enable', 'send it what happens from now on')
  ofEndpoint('delete', 'send nothing to it any more; its deliveries can still be read')
  ofEndpoint('rotate', 'make a new secret, shown this once, which signs all attempts from now on').option(
    '--overlap <time>',
    'how long the secret before signs as well: 0s, 1h, … 24h',
    '0s',
  )
  ofEndpoint('test', 'send a test event to one endpoint').addOption(
    new Option('--type <type>', 'event type (default: payment.approved)').choices(eventTypes),
  )
  ofEndpoint('deliveries', 'list the deliveries of an endpoint, newest first')
    .option('--status <list>', 'PENDING,RETRYING,SUCCEEDED,EXHAUSTED,CANCELLED')
    .option('--page <number>', 'page of 200 (default: 1)')
  webhooks
    .command('failures')
    .argument('[id]', 'endpoint id')
    .description('list deliveries that were given up: of an endpoint, of a company, or all')
    .option('--company <id>', 'those of one company')
    .addOption(environmentOption('those of one environment'))
    .action(callsOperation(context))
  webhooks
    .command('resend')
    .argument('<id>', 'delivery id')
    .description('send a finished delivery again')
    .action(callsOperation(context))
  webhooks
    .command('retry')
    .argument('<id>', 'delivery id')
    .description('make the next attempt of an unfinished delivery now')
    .action(callsOperation(context))
  ofEndpoint(
    'replay',
    'send the events of a span of time to one endpoint, also those that it never heard',
    ({ type: types, ...options }) => ({ ...options, types }),
  )
    .requiredOption('--from <time>', 'date (company time zone) or ISO 8601 date-time')
    .option('--to <time>', 'the same, to the end of a date (default: now)')
    .option(
      '--type <list>',
      'event types, separated by commas (default: those that the endpoint subscribes to)',
    )
    .option('--after <position>', 'go on where a replay of this span stopped')
}
