import type { Examples, RecordedExchange } from '../../../gateway/openapi/examples.ts'
import { routes } from '../../../gateway/routes/index.ts'
import { startMailServer } from '../mail-server.ts'
import type { Prepared } from '../prepared.ts'
import {
  type Answer,
  type Call,
  caller,
  newMerchant,
  programOf,
  type Scope,
  type Service,
  startReceiver,
} from '../service.ts'
import { secondFactor, signInDirectly } from '../sign-in-directly.ts'
import { playCrypto } from './crypto.ts'
import { playDisputes } from './disputes.ts'
import { playPeople } from './people.ts'
import { type DoesStep, playReserved } from './reserved.ts'
import { type Step, story } from './story.ts'
import { playTransfers } from './transfers.ts'

export const everyScope =
  'charges.create,charges.read,transactions.read,transactions.export,refunds.create,subscriptions.read,subscriptions.manage,marketplace.manage,balance.read'

/** Plays the story against the service of a directory that was just prepared: what was sent, and what came back. */
export const playStory = async (scope: Scope, first: Prepared): Promise<Examples> => {
  const company = await first.operate('companies create', {
    name: 'Loja Azul Ltda',
    document: '11222333000181',
  })
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const mail = await startMailServer(scope)
  const { service, members } = await signInDirectly(
    scope,
    first,
    [
      { companyId: company.id, roles },
      { companyId: company.id, roles: { SANDBOX: 'ADMIN', PRODUCTION: 'ADMIN' } },
    ],
    {
      env: { MAIL_URL: mail.url, CHECKOUT_ORIGIN: 'https://pagar.example.com' },
      program: programOf('banked-main'),
    },
  )
  // Made by the service, it is in the audit log.
  const key = await service.operate('keys create', {
    company: company.id,
    environment: 'sandbox',
    scopes: everyScope,
  })
  const call = caller(service.origin, key.secret)
  const kept = new Map<string, unknown>()
  const operations: Record<string, RecordedExchange[]> = {}
  const refusals: Record<string, RecordedExchange[]> = {}
  const tell = (all: Record<string, RecordedExchange[]>, key: string, exchange: RecordedExchange): void => {
    all[key] ??= []
    all[key].push(exchange)
  }
  for (const step of story) {
    const exchange = await exchangeOf(call, step, kept)
    if (step.keep !== undefined) kept.set(step.keep, exchange.answer)
    if (step.hidden) continue
    if (step.refused === undefined) tell(operations, step.operation, exchange)
    else tell(refusals, String(exchange.status), exchange)
  }
  const [person, colleague] = members.map(({ call }) => call) as [Call, Call]
  const confirming =
    (of: Call): Call =>
    (verb, path, body, headers) =>
      of(verb, path, body, { ...headers, ...secondFactor })
  const receiver = await startReceiver(scope)
  await playReserved(person, confirming(person), confirming(colleague), receiver, async (of, step) => {
    const exchange = await exchangeOf(of, step, kept)
    // Where the receiver of this run was says nothing.
    const recorded = JSON.stringify(exchange).replaceAll(receiver.url, 'https://loja.example.com/webhooks')
    tell(operations, step.operation, JSON.parse(recorded) as RecordedExchange)
    return exchange.answer
  })
  const tellStep: DoesStep = async (of, step) => {
    const exchange = await exchangeOf(of, step, kept)
    if (!step.hidden) tell(operations, step.operation, exchange)
    return exchange.answer
  }
  await playDisputes(person, tellStep)
  await playCrypto(person, confirming(person), confirming(colleague), tellStep)
  await playTransfers(person, confirming(person), confirming(colleague), tellStep)
  await playPeople(service, mail, company.id, async (browser, operation, title, sent = {}) => {
    const exchange = await exchangeOf(browser.call, { operation, title, ...sent }, kept)
    tell(operations, operation, exchange)
    return exchange.answer
  })
  for (const exchange of await refusedAnywhere(service)) tell(refusals, String(exchange.status), exchange)
  return { operations, refusals }
}

const exchangeOf = async (
  call: Call,
  step: Step,
  kept: ReadonlyMap<string, unknown>,
): Promise<RecordedExchange> => {
  const route = routes.find(({ operationId }) => operationId === step.operation)!
  const { id, query, body } = filled({ id: step.id, query: step.query, body: step.body }, kept)
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const { status, answer } = answered(
    await call(route.verb, route.path.replace(':id', id ?? '') + search, body),
  )
  if (status !== (step.refused ?? route.status))
    throw new Error(`${step.operation} (${step.title}): ${status} ${JSON.stringify(answer)}`)
  return {
    title: step.title,
    ...(id !== undefined && { id }),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    status,
    ...(answer !== undefined && {
      answer: step.rows === undefined ? answer : { ...answer, data: answer.data.slice(0, step.rows) },
    }),
  } as RecordedExchange
}

/** What does not depend on the operation. */
const refusedAnywhere = async (service: Service): Promise<RecordedExchange[]> => {
  const path = '/v1/pix/charges'
  const reader = await newMerchant(service, { scopes: 'charges.read' })
  const withoutKey = caller(service.origin, '')
  const asked: [string, Promise<Answer>][] = [
    ['Without a key', withoutKey('GET', path)],
    ['A scope is missing', reader.call('POST', path, { amount: 1990 })],
    ['Too large', reader.call('POST', path, { amount: 1990, description: 'x'.repeat(70_000) })],
    ['A URL that is too long', reader.call('GET', `${path}?q=${'x'.repeat(9000)}`)],
    [
      'A form',
      (await newMerchant(service)).call('POST', path, 'amount=1990', { 'Content-Type': 'text/plain' }),
    ],
  ]
  return Promise.all(
    asked.map(async ([title, answer]) => ({ title, ...answered(await answer) }) as RecordedExchange),
  )
}

/** Without what nobody reads: the bytes of files, and most of an image. */
const answered = ({ status, headers, body }: Answer) => ({
  status,
  answer: /^(image|application\/pdf)/.test(headers.get('content-type')!) ? undefined : shortened(body),
})

const shortened = (value: unknown): any => {
  if (typeof value === 'string')
    return value.startsWith('data:image/png;base64,') ? value.slice(0, 62) : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

/** With the values of earlier answers in the place of `{name.path}`. */
const filled = (value: any, kept: ReadonlyMap<string, unknown>): any => {
  if (typeof value === 'string') return value.replace(/^\{([\w.]+)\}$/, (_, path) => valueAt(path, kept))
  if (Array.isArray(value)) return value.map((item) => filled(item, kept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, kept)]))
}

const valueAt = (path: string, kept: ReadonlyMap<string, unknown>): string => {
  const [name, ...rest] = path.split('.')
  const found = rest.reduce<any>((value, part) => value?.[part], kept.get(name!))
  if (typeof found !== 'string') throw new Error(`nothing was kept as ${path}`)
  return found
}
