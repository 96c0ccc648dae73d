import type { Command } from '../../../engine/kernel/registry.ts'
import {
  type AccountId,
  accountIdOf,
  companyIdOf,
  environmentOf as environmentIn,
  type TicketId,
} from '../../../engine/shared/ids.ts'
import { byOperator } from '../../../engine/shared/initiator.ts'
import { type MessageDraft, type Ticket, ticketStatuses } from '../../../engine/support/ticket.ts'
import { bounds } from '../../base/bounds.ts'
import { absent, refuse, refuseInvalid } from '../../problems/refusal.ts'
import { supportTicket } from '../../resources/account/ticket.ts'
import {
  choicesOf,
  type Input,
  lineOf,
  type Operations,
  operationsOn,
  optionalEnvironmentOf,
  readText,
  taking,
} from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { companyAt } from './company-operations.ts'

type Options = Pick<OperationsOptions, 'directory' | 'router' | 'personal'>

/** What the staff of the service does with support tickets (dashboard, section 4.1). */
export const ticketOperations = (options: Options): Operations =>
  operationsOn(options, {
    'tickets list': taking([...place, 'status'], list),
    'tickets show': taking(['id', ...place], async (options, input) =>
      staffView(options, await ticketAt(options, input)),
    ),
    'tickets reply': taking(['id', ...place, 'text', 'name'], reply),
    'tickets close': taking(['id', ...place], close),
  })

/** Lists tickets of a company, or of all: by default those that are not closed, the next to be answered first. */
const list = async (options: Options, input: Input): Promise<object> => {
  const { router } = options
  const statuses = choicesOf(input, 'status', ticketStatuses) ?? (['OPEN', 'WAITING_COMPANY'] as const)
  const rows: Ticket[] = []
  let sum = 0
  for (const accountId of accountsOf(options, input)) {
    const listed = await router.query({
      type: 'ListTickets',
      accountId,
      statuses,
      page: 1,
      pageSize: bounds.pageSizeMax,
      asOf: null,
      from: null,
      to: null,
    })
    rows.push(...listed.rows)
    sum += listed.total
  }
  rows.sort((a, b) => a.firstAnswerDueAtMs - b.firstAnswerDueAtMs)
  return {
    object: 'list',
    data: rows.slice(0, bounds.pageSizeMax).map((ticket) => staffView(options, ticket)),
    total: sum,
  }
}

const reply = async (options: Options, input: Input): Promise<object> => {
  const text = readText(input, 'text').trim()
  const { length } = [...text]
  if (length < 1 || length > bounds.ticketTextCharsMax)
    refuseInvalid(`text must have 1 to ${bounds.ticketTextCharsMax} characters`)
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
    refuseInvalid('text must not contain control characters')
  const name = lineOf(input.name, 'name', bounds.nameCharsMax)
  const message: MessageDraft = { author: 'STAFF', personId: null, name, text }
  const { id: ticketId, accountId } = await ticketAt(options, input)
  return changed(options, { type: 'AnswerTicket', accountId, by: byOperator, ticketId, message })
}

const close = async (options: Options, input: Input): Promise<object> => {
  const { id: ticketId, accountId } = await ticketAt(options, input)
  return changed(options, { type: 'CloseTicket', accountId, by: byOperator, ticketId })
}

const changed = async (options: Options, command: Command): Promise<object> => {
  const result = await options.router.execute(command)
  return result.accepted
    ? staffView(options, result.state as Ticket)
    : refuse(`refused: ${result.rejection.reason}`)
}

/** An id does not name its account, so all accounts are asked, unless the input names one. */
const ticketAt = async (options: Options, input: Input): Promise<Ticket> => {
  const { router } = options
  const ticketId = readText(input, 'id') as TicketId
  for (const accountId of accountsOf(options, input)) {
    const ticket = await router.query({ type: 'FindTicket', accountId, ticketId })
    if (ticket !== null) return ticket
  }
  return absent(`there is no ticket ${ticketId}`, 'ticket')
}

const accountsOf = ({ directory }: Options, input: Input): readonly AccountId[] => {
  const environment = optionalEnvironmentOf(input)
  const environments = environment === null ? (['PRODUCTION', 'SANDBOX'] as const) : [environment]
  const companyIds =
    input.company === undefined
      ? [...directory.companies.keys()]
      : [companyAt(directory, input, 'company').id]
  return companyIds.flatMap((id) => environments.map((environment) => accountIdOf(id, environment)))
}

const staffView = ({ personal, directory }: Options, ticket: Ticket): object => {
  const companyId = companyIdOf(ticket.accountId)
  return {
    ...supportTicket.view(ticket, personal.open),
    companyId,
    company: directory.companies.get(companyId)?.name ?? null,
    environment: environmentIn(ticket.accountId),
  }
}

const place = ['company', 'environment']
