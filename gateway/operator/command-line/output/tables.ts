import { displayText } from './display-text.ts'
import type { Column, TableRow, TerminalTable } from './table.ts'

/** The table for a list, by the type of its rows: the columns people look for, out of everything that `--json` prints. */
export const tableOf = (rows: readonly TableRow[]): TerminalTable =>
  tables[String(rows[0]?.object)] ?? { columns: Object.keys(rows[0] ?? {}).map((name) => plain(name)) }

const plain = (name: string, title = titleOf(name), more: Partial<Column> = {}): Column => ({
  title,
  text: (row) => displayText(row[name]),
  ...more,
})

/** `createdAt` → `CREATED AT`. */
const titleOf = (name: string): string => name.replace(/[A-Z]/g, ' $&').toUpperCase()

const minute = (name: string, title: string): Column => ({
  title,
  text: (row) => String(row[name]).slice(0, 16).replace('T', ' '),
})

/** Members, and who is invited until when. */
const peopleTable: TerminalTable = {
  columns: [
    {
      title: 'PERSON',
      text: (row) => String(row.personId ?? `invited until ${String(row.expiresAt).slice(0, 10)}`),
    },
    plain('email', 'E-MAIL', { wraps: true }),
    { title: 'SANDBOX', text: ({ roles }) => roleIn(roles, 'SANDBOX') },
    { title: 'PRODUCTION', text: ({ roles }) => roleIn(roles, 'PRODUCTION') },
    plain('companyId', 'COMPANY'),
  ],
}

const tables: Readonly<Record<string, TerminalTable>> = {
  company: {
    columns: [
      plain('id'),
      plain('name', 'NAME', { wraps: true }),
      plain('document'),
      plain('status'),
      minute('createdAt', 'CREATED (UTC)'),
    ],
  },
  api_key: {
    columns: [
      plain('id'),
      plain('name', 'NAME', { wraps: true }),
      plain('companyId', 'COMPANY'),
      plain('environment'),
      plain('status'),
      plain('last4', 'ENDS IN'),
    ],
    below: ({ scopes }) => (scopes as readonly string[]).join(' '),
  },
  member: peopleTable,
  invitation: peopleTable,
  ticket: {
    columns: [
      plain('id'),
      plain('company', 'COMPANY', { wraps: true }),
      plain('status'),
      plain('priority'),
      minute('firstAnswerDueAt', 'ANSWER BY (UTC)'),
      plain('subject', 'SUBJECT', { wraps: true }),
    ],
  },
  payment_link: {
    columns: [
      plain('id'),
      plain('title', 'TITLE', { wraps: true }),
      { title: 'AMOUNT', text: ({ amount, minAmount }) => displayText(amount ?? `from ${minAmount}`) },
      plain('status'),
      plain('paymentsCount', 'PAID'),
      plain('paidAmount', 'PAID AMOUNT'),
    ],
    below: ({ url }) => String(url),
  },
  suspense: {
    columns: [
      plain('id'),
      plain('amount'),
      plain('returnedAmount', 'RETURNED'),
      plain('status'),
      plain('providerId', 'BANK'),
      minute('paidAt', 'PAID (UTC)'),
    ],
    below: ({ endToEndId }) => String(endToEndId),
  },
  reconciliation: {
    columns: [
      plain('id'),
      plain('date'),
      plain('providerId', 'BANK'),
      plain('status'),
      plain('differencesCount', 'DIFFERENCES'),
      plain('differenceAmount', 'AMOUNT'),
    ],
  },
  page_file: {
    columns: [plain('path'), plain('where'), plain('bytes'), plain('why', 'WHY', { wraps: true })],
    below: ({ integrity }) => String(integrity),
  },
  webhook_endpoint: {
    columns: [plain('id'), plain('environment'), plain('status'), plain('url', 'URL', { wraps: true })],
    below: ({ events, extraEvents, signature, headerNames }) =>
      [
        (events as readonly string[]).join(' ') ||
          (extraEvents ? 'all events, extra ones too' : 'all events'),
        ...(signature === 'standard-webhooks' ? ['signature: standard-webhooks'] : []),
        ...((headerNames as readonly string[]).length > 0
          ? [`headers of its own: ${(headerNames as readonly string[]).join(' ')}`]
          : []),
      ].join(' · '),
  },
  connection: {
    columns: [
      plain('id'),
      plain('provider'),
      { title: 'RAILS', text: ({ rails }) => (rails as readonly string[]).join(' ') },
      plain('role'),
      plain('status'),
    ],
    below: ({ companyId, certificateEndsAt }) =>
      [
        String(companyId),
        ...(certificateEndsAt === null
          ? []
          : [`certificate until ${String(certificateEndsAt).slice(0, 10)}`]),
      ].join(' · '),
  },
  connection_provider: {
    columns: [
      plain('name'),
      plain('label'),
      { title: 'RAILS', text: ({ rails }) => (rails as readonly string[]).join(' ') },
    ],
    below: ({ settings }) =>
      `needs ${(settings as readonly TableRow[])
        .filter(({ required }) => required)
        .map(({ name }) => name)
        .join(' ')}`,
  },
  provider_setting: {
    columns: [
      plain('name'),
      { title: 'NEEDED', text: ({ required }) => (required ? 'yes' : '-') },
      { title: 'SEALED', text: ({ secret }) => (secret ? 'yes' : '-') },
      { title: 'SET BY', text: ({ operatorOnly }) => (operatorOnly ? 'operator' : 'people') },
      plain('description', 'WHAT IT IS', { wraps: true }),
    ],
  },
  delivery: {
    columns: [
      plain('id'),
      plain('type', 'EVENT'),
      plain('status'),
      { title: 'CREATED', text: ({ createdAt }) => String(createdAt).slice(5, 16).replace('T', ' ') },
      {
        title: 'ATTEMPTS',
        text: ({ attempts }) => lastOutcome(attempts as readonly TableRow[]),
        wraps: true,
      },
    ],
  },
}

const roleIn = (roles: unknown, environment: string): string =>
  displayText((roles as TableRow)[environment]).toLowerCase()

/** The number of attempts, and the outcome of the last one. */
const lastOutcome = (attempts: readonly TableRow[]): string => {
  const last = attempts.at(-1)
  return last === undefined ? '-' : `${attempts.length}: ${displayText(last.error ?? last.statusCode)}`
}
