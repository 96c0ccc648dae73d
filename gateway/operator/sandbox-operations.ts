import type { Company } from '../../engine/companies/company.ts'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { dateIn } from '../../engine/shared/calendar.ts'
import { accountIdOf, type TransactionId } from '../../engine/shared/ids.ts'
import type { Route } from '../api/route.ts'
import type { Asker } from '../identity/asked.ts'
import { choiceOf, type Input, type Operations, operationsOn, readText, taking } from '../operations/input.ts'
import { absent, refuse, refuseInvalid } from '../problems/refusal.ts'
import { paySandboxBoletoRoute } from '../routes/developers/sandbox/boletos.ts'
import {
  advanceSandboxClockRoute,
  getSandboxClockRoute,
  resetSandboxClockRoute,
} from '../routes/developers/sandbox/clock.ts'
import { paySandboxChargeRoute } from '../routes/developers/sandbox/pay-charge.ts'
import { sendSandboxEventRoute } from '../routes/developers/sandbox/send-event.ts'
import { callRoute, onlyCompany, type RouteContext } from './call-route.ts'
import { type CallRoute, type Made, recipes } from './trigger-recipes.ts'

/** The Sandbox's operations for operators. */
export const sandboxOperations = (context: RouteContext): Operations =>
  operationsOn(context, {
    'sandbox pay': taking(['id', 'amount', 'by', 'payer'], pay),
    'sandbox clock': taking(['company', 'by', 'to', 'reset'], clock),
    trigger: taking(['company', 'event'], trigger),
  })

/** Does a request in the Sandbox of a company. */
const inSandbox = (
  context: RouteContext,
  by: Asker,
  company: Company,
  route: Route,
  body: object = {},
  id = '',
): Promise<object> => callRoute(context, by, { company, environment: 'SANDBOX' }, route, { body, id })

/** Pays a PIX charge, a deposit or a boleto of any company. */
const pay = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const { directory, router } = context
  const transactionId = readText(input, 'id') as TransactionId
  const { id: _, ...body } = input
  for (const company of directory.companies.values()) {
    const accountId = accountIdOf(company.id, 'SANDBOX')
    const found = await router.query({ type: 'FindTransaction', accountId, transactionId, family: null })
    if (found !== null)
      return inSandbox(context, by, company, routeOfPaying(found.transaction), body, transactionId)
  }
  return absent(`there is no transaction ${transactionId} in a Sandbox`)
}

const clock = async (
  context: RouteContext,
  { by, to, reset, ...input }: Input,
  asker: Asker,
): Promise<object> => {
  const company = onlyCompany(context.directory, input)
  const given = [by, to, reset].filter((value) => value !== undefined).length
  if (given > 1) refuseInvalid('the clock is advanced by a duration, or to an instant, or reset')
  if (reset !== undefined) return inSandbox(context, asker, company, resetSandboxClockRoute, {})
  return given === 0
    ? inSandbox(context, asker, company, getSandboxClockRoute, {})
    : inSandbox(context, asker, company, advanceSandboxClockRoute, {
        ...(by !== undefined && { by }),
        ...(to !== undefined && { to }),
      })
}

/** Causes an event, or sends a sample if the event cannot be caused. */
const trigger = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const event = choiceOf(input.event, 'event', eventTypes)
  const company = onlyCompany(context.directory, input)
  const call: CallRoute = async (route, body, about) =>
    (await inSandbox(context, by, company, route, body, (await about)?.id)) as Made
  const recipe = recipes[event]
  if (recipe === null) {
    await inSandbox(context, by, company, sendSandboxEventRoute, { type: event })
    return { object: 'trigger', event, companyId: company.id, sample: true, of: null }
  }
  const { id } = await recipe(call, { dueDate: await dayOf(context, company) })
  return { object: 'trigger', event, companyId: company.id, sample: false, of: id }
}

const dayOf = async ({ router }: RouteContext, company: Company): Promise<string> => {
  const accountId = accountIdOf(company.id, 'SANDBOX')
  const found = await router.query({ type: 'FindAccount', accountId })
  return found === null ? refuse('the account is not open yet') : dateIn(company.timeZone, found.nowMs)
}

const routeOfPaying = ({ method }: Transaction): Route => {
  if (method === 'PIX') return paySandboxChargeRoute
  if (method === 'BOLETO') return paySandboxBoletoRoute
  return refuse(`a ${method} payment is not paid by hand: its outcome is decided when it is created`)
}
