import { type Command, Option } from 'commander'
import { type CommandContext, callsOperation, environmentOption } from '../command.ts'
import { brandingInput, cardFee, companyInput } from '../company-options.ts'

/** `payments companies …`. */
export const addCompanyCommands = (program: Command, context: CommandContext): void => {
  const companies = program.command('companies').description('companies that use the service')
  const describing = (command: Command): Command =>
    command
      .option('--trade-name <name>', 'nome fantasia')
      .option('--company-type <type>', 'mei or other')
      .option('--email <address>', 'e-mail')
      .option('--phone <number>', 'phone, with area code')
      .option('--website <url>', 'its own pages')
      .option('--statement-descriptor <text>', 'on statements of cards: 5 to 22 of A-Z, 0-9, . * - and space')
      .option('--city <city>', 'printed in QR codes (of a new company: São Paulo)')
      .option('--street <street>', 'address: street')
      .option('--number <number>', 'address: number, or S/N')
      .option('--complement <text>', 'address: floor, room')
      .option('--district <district>', 'address: district')
      .option('--address-city <city>', 'address: city (the city of QR codes where it is left out)')
      .option('--state <UF>', 'address: two letters')
      .option('--zip <CEP>', 'address: eight digits')
      .option('--pix-fee <bps>', 'fee of a PIX charge, in basis points')
      .option('--boleto-fee <centavos>', 'fee of a boleto')
      .option(
        '--card-fee <brand=rates>',
        'fees of a brand in basis points, for 1, 2 to 6 and 7 to 12 instalments, then for debit: VISA=319/399/459/199',
        cardFee,
      )
  describing(
    companies
      .command('create')
      .description('create a company, with an account in Sandbox and in Production')
      .requiredOption('--name <name>', 'legal name')
      .requiredOption('--document <cnpj>', 'CNPJ')
      .option(
        '--products <list>',
        'PIX,CARD,BOLETO,RECURRING,SPLIT (all by default); CARD=PENDING has another state',
      )
      .option('--timezone <zone>', 'IANA time zone (default: America/Sao_Paulo)'),
  ).action(callsOperation(context, companyInput))
  companies.command('list').description('list companies').action(callsOperation(context))
  companies
    .command('get')
    .argument('<id>', 'company id')
    .description('show a company')
    .action(callsOperation(context))
  describing(
    companies
      .command('update')
      .argument('<id>', 'company id')
      .description(
        'change a company; what is not named stays as it is. Fees hold for charges that are created afterwards',
      )
      .option('--name <name>', 'legal name')
      .option(
        '--products <list>',
        'states of products: PIX,CARD=PENDING,SPLIT=DISABLED (a name alone: ACTIVE)',
      )
      .addOption(environmentOption('of the products (default: both)'))
      .option('--no-address', 'take the address away'),
  ).action(callsOperation(context, companyInput))
  companies
    .command('checkout')
    .argument('<id>', 'company id')
    .description(
      'change how its payment pages look, its portal and limits of cards; an empty text takes one away',
    )
    .option('--display-name <name>', 'in front of the legal name: up to 40 characters')
    .option('--accent <colour>', 'of buttons, such as #1f7a5a')
    .option('--support-email <address>', 'for payers')
    .option('--support-phone <number>', 'for payers, with area code')
    .option('--terms-url <url>', 'terms of sale: https://…')
    .option('--privacy-url <url>', 'privacy policy: https://…')
    .option('--thank-you-text <text>', 'after a payment: up to 280 characters')
    .addOption(yesOrNo('--portal-cancel <yes|no>', 'whether payers can cancel subscriptions'))
    .addOption(yesOrNo('--portal-change-card <yes|no>', 'whether payers can change the card'))
    .option('--portal-change-plan <list>', 'plans that payers can change to, by their ids')
    .option('--cards-per-session <n>', 'against card testing, lower than usual: tries of a session (5)')
    .option('--cards-per-address <n>', 'tries from an IP address at a link in an hour (5)')
    .option('--cards-per-network <n>', 'tries from a network at a link in an hour (20)')
    .option('--cards-per-bin <n>', 'declines of an issuer at a link in an hour (10)')
    .option('--card-declines <n>', 'declines of the company in an hour (100)')
    .action(callsOperation(context, brandingInput))
  companies
    .command('forget-payers')
    .argument('<id>', 'company id')
    .argument('<years>', '2 to 30, or off (the default)')
    .description('forget what is recorded about its payers from now on, after so many years')
    .action(callsOperation(context))
  companies
    .command('suspend')
    .argument('<id>', 'company id')
    .description('answer its keys 401 until it is resumed; what is due goes on')
    .action(callsOperation(context))
  companies
    .command('resume')
    .argument('<id>', 'company id')
    .description('let its keys in again')
    .action(callsOperation(context))
}

const yesOrNo = (flags: string, description: string): Option =>
  new Option(flags, description).choices(['yes', 'no'])
