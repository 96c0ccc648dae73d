import type { Command } from 'commander'
import { roles } from '../../../../engine/people/permission.ts'
import { type CommandContext, callsOperation, confirm } from '../command.ts'

/** `payments people …`. */
export const addPeopleCommands = (program: Command, context: CommandContext): void => {
  const people = program.command('people').description('people who use the dashboard')
  people
    .command('invite')
    .description('make a link with which a person joins a company; it works for 24 hours, once')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--name <name>', 'the name of the person')
    .requiredOption('--role <role>', roles.join(', ').toLowerCase())
    .action(callsOperation(context))
  people
    .command('list')
    .description('list people with their roles')
    .option('--company <id>', 'those of one company')
    .action(callsOperation(context))
  people
    .command('reset-password')
    .argument('<id>', 'person id or e-mail address')
    .description(
      'make a link with which a person sets a new password; it works for 30 minutes, once, and the second factor stays',
    )
    .action(callsOperation(context))
  people
    .command('reset-second-factor')
    .argument('<id>', 'person id or e-mail address')
    .description('remove the second factors of a person who has lost them; their sessions end')
    .action(callsOperation(context))
  people
    .command('erase')
    .argument('<id>', 'e-mail address, or person id')
    .description(
      'erase a person, or somebody who was only invited: nobody can read any more what they were called and where they came from',
    )
    .option('--yes', 'do not ask')
    .action(
      callsOperation(
        context,
        ({ yes, ...options }) => options,
        async ({ yes }, id) => {
          if (yes !== true) await confirm(`Erase ${id} for good? Nothing brings it back.`)
        },
      ),
    )
}
