import { Argument, type Command, Option } from 'commander'
import { eventTypes } from '../../../../engine/kernel/event-types.ts'
import { type CommandContext, callsOperation } from '../command.ts'

/** `payments sandbox …` and `payments trigger EVENT`: what happens outside, simulated in a Sandbox. */
export const addSandboxCommands = (program: Command, context: CommandContext): void => {
  const ofCompany = '(may be left out where there is only one)'
  const sandbox = program.command('sandbox').description('what payers and time do to a Sandbox')
  sandbox
    .command('pay')
    .argument('<id>', 'transaction id')
    .description('pay a PIX charge or a boleto')
    .option('--amount <centavos>', 'another amount than what is asked')
    .addOption(new Option('--by <means>', 'how a boleto is paid').choices(['BAR_CODE', 'PIX']))
    .action(callsOperation(context))
  sandbox
    .command('clock')
    .description('show the clock, advance it, or set it back to real time')
    .option('--company <id>', `whose clock ${ofCompany}`)
    .option('--by <duration>', 'advance it by an ISO 8601 duration: P1M, P3D, PT2H')
    .option('--to <time>', 'advance it to an ISO 8601 date-time')
    .option('--reset', 'set it back to real time')
    .action(callsOperation(context))
  program
    .command('trigger')
    .addArgument(new Argument('<event>', 'event type').choices(eventTypes))
    .description('make an event happen in the Sandbox, with charges and payments of its own')
    .option('--company <id>', `where ${ofCompany}`)
    .action(callsOperation(context))
}
