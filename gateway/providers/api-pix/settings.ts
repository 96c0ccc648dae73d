import Type, { type Static } from 'typebox'
import type { BankProfile, HostName } from './profile.ts'

const text = (description: string, maxLength = 200) => Type.String({ description, minLength: 1, maxLength })
const address = (description: string) =>
  Type.String({ description, pattern: '^https://[^\\s]+$', maxLength: 200 })
const secret = (description: string, maxLength = 20_000) =>
  Type.String({ description, minLength: 1, maxLength, secret: true })
const ofOperator = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 500, operatorOnly: true })

/** The fees of a bank by rail, as the contract with it says. */
const terms = (rails: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    rails.map((rail) => [
      rail,
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          percentBps: { type: 'integer', minimum: 0, maximum: 10_000 },
          fixedAmount: { type: 'integer', minimum: 0, maximum: 100_000 },
        },
      },
    ]),
  ),
})

const common = {
  host: Type.Optional(
    Type.Unsafe<HostName>({
      description: "The bank's host: PRODUCTION, or TEST for its own test environment.",
      enum: ['PRODUCTION', 'TEST'],
      default: 'PRODUCTION',
    }),
  ),
  clientId: text('The id of the application at the bank.'),
  pixKey: text('The PIX key that charges are paid to.', 77),
  merchantName: text('The payee as payers read it, where the bank gives no code of its own.', 25),
  merchantCity: text('The city of the payee.', 15),
  institution: Type.Optional(
    Type.String({
      description:
        'The first eight characters of the CNPJ of the institution that holds the account, where it is not the bank itself: a cooperative.',
      pattern: '^[0-9A-Z]{8}$',
    }),
  ),
  certificate: Type.Optional(text('The certificate of the application, as PEM.', 20_000)),
  privateKey: Type.Optional(secret('Its private key, as PEM.')),
  pfx: Type.Optional(secret('Certificate and key together, as PKCS #12 in base64.', 60_000)),
  passphrase: Type.Optional(secret('The passphrase of the key or of the PKCS #12 file.', 200)),
  apiAddress: Type.Optional(address('Another host than the published one, as https://host.')),
  tokenAddress: Type.Optional(address('The whole address for tokens, where it is not the published one.')),
  serverAuthority: Type.Optional(
    text("The only authority whose certificate is taken from the bank's hosts, as PEM.", 20_000),
  ),
  noticeAuthority: Type.Optional(
    text('The authorities of the certificate with which the bank reports payments, as PEM.', 40_000),
  ),
  noticeIssuer: Type.Optional(ofOperator('The issuer in that certificate, as a distinguished name.')),
  noticeSubject: Type.Optional(ofOperator('The subject in that certificate, as a distinguished name.')),
  terms: Type.Optional(
    Type.Unsafe<object>({
      ...terms(['PIX', 'PAYOUT']),
      description:
        'What the bank takes of each movement, by rail: PIX that come in, PAYOUT. `percentBps` is in basis points, `fixedAmount` in centavos.',
    }),
  ),
  pixAutomatic: Type.Optional(
    Type.Boolean({ description: 'Whether the bank has enabled Pix Automático for the application.' }),
  ),
  /** `recebedor` of `PUT /cobr` (R3). */
  receiverBranch: Type.Optional(
    text('The branch of the account, which Pix Automático and statements name.', 4),
  ),
  receiverAccount: Type.Optional(
    text('The number of the account, which Pix Automático and statements name.', 20),
  ),
  receiverAccountType: Type.Optional(
    Type.Unsafe<'CORRENTE' | 'POUPANCA' | 'PAGAMENTO'>({
      description: 'Its type.',
      enum: ['CORRENTE', 'POUPANCA', 'PAGAMENTO'],
      default: 'CORRENTE',
    }),
  ),
}

/** Where the bank has an interface for its statement that is known. */
const ofStatement = {
  readsStatement: Type.Optional(
    Type.Boolean({
      description:
        "Whether the application may read the bank's statement, which is compared each day. It needs the number of the account.",
    }),
  ),
}

/** The settings of a connection to a bank that speaks API Pix, as they were opened. */
export type BankSettings = Static<ReturnType<typeof Type.Object<typeof common>>> & {
  readonly readsStatement?: boolean
  readonly clientSecret?: string
  readonly appKey?: string
  readonly account?: string
  readonly fixedToken?: string
}

/** What a bank needs to know of a connection: some need no secret, some an application's key or an account. */
export const settingsOf = ({ token, headers, statement }: BankProfile) => {
  const needs = (is: string) => headers.some((header) => header.is === is)
  return Type.Object(
    {
      ...common,
      ...(statement === null ? {} : ofStatement),
      ...(token.client === 'ID_ONLY' ? {} : { clientSecret: secret('The secret of the application.') }),
      ...(needs('APP_KEY') ? { appKey: secret("The application's key for its gateway.") } : {}),
      ...(needs('ACCOUNT')
        ? { account: Type.Optional(text('The account, where the application has several.', 20)) }
        : {}),
      ...(token.isFixedAtTestHost
        ? { fixedToken: Type.Optional(secret('The token that the portal shows for the test host.')) }
        : {}),
    },
    { additionalProperties: false },
  )
}
