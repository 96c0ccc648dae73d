import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SimulatedBank } from './bank.ts'
import type { BankServer } from './server.ts'

/** The port at which tests and people hold the bank: plain HTTP with JSON, on this machine alone. */
export type ControlPort = { readonly url: string; readonly stop: () => Promise<void> }

/** What can be done to a bank, by verb and path; the README has a line on each. */
export const controlsOf = (bank: SimulatedBank, server: BankServer): Readonly<Record<string, Control>> => {
  const { book, payments, meds, sends, mandates, mandateCharges, faults, webhooks } = bank
  const { clock } = bank.context
  return {
    'GET /state': () => ({
      nowMs: clock.nowMs(),
      bank: bank.context.profile.name,
      url: server.url,
      due: clock.due(),
      faultsHappened: faults.happened(),
    }),
    'POST /clock/advance': async ({ ms }) => {
      await clock.advance(ms)
      await webhooks.idle()
      return { nowMs: clock.nowMs() }
    },

    'POST /faults': (fault) => faults.add(fault),
    'POST /faults/notices': (fault) => faults.addNotice(fault),
    'POST /faults/connections': ({ are }) => faults.setConnections(are),
    'DELETE /faults': () => faults.clear(),
    'POST /tokens/revoke': () => server.revokeTokens(),

    'POST /pay': (payment) => bank.pay(payment),
    'POST /charges/remove': ({ txid }) => bank.charges.setStatus(txid, 'REMOVIDA_PELO_PSP'),
    'POST /returns': ({ endToEndId, cents, natureza = 'ORIGINAL' }) =>
      payments.makeReturn({ endToEndId, cents, natureza }),
    'POST /returns/settings': (settings) => payments.setReturns(settings),
    'POST /returns/settle': ({ endToEndId, id, status, motivo }) =>
      payments.settle(endToEndId, id, { status, ...(motivo === undefined ? {} : { motivo }) }),

    'POST /meds': (of) => meds.open(of),
    'POST /meds/close': ({ id, status, natureza }) => meds.close(id, status, natureza),
    'POST /meds/reverse': ({ id }) => meds.reverse(id),
    'GET /meds': () => meds.all(),

    'GET /sends': () => sends.all(),
    'POST /sends/settings': (settings) => sends.set(settings),
    'POST /sends/settle': ({ reference, status, error }) =>
      sends.settle(reference, { status, ...(error === undefined ? {} : { error }) }),
    'POST /sends/give-back': ({ reference, valor }) => sends.giveBack(reference, valor),

    'POST /mandates/answer': ({ idRec, ...act }) => mandates.answer(idRec, act),
    'POST /mandates/account': ({ idRec, ...account }) => mandateCharges.setAccount(idRec, account),

    'POST /notices/forge': async (of) => ({ outcome: await webhooks.forge(of) }),
    'POST /notices/unregister': ({ kind = 'pix', chave = null }) => webhooks.remove(kind, chave),
    'POST /notices/resend': ({ endToEndIds }) => bank.resend(endToEndIds),
    'GET /notices': () => webhooks.deliveries(),

    // A line that the bank writes into the account by itself: a tariff, or what has nothing to do with PIX.
    'POST /movements': ({ kind, cents, endToEndId = '', text }) =>
      book.record({
        ...{ kind, cents, endToEndId, atMs: clock.nowMs() },
        ...{ txid: null, returnId: null, rtrId: null },
        ...(text !== undefined && { text }),
      }),
    'GET /book': () => ({
      balanceCents: book.balanceCents(),
      availableCents: book.availableCents(),
      movements: book.movements(),
    }),
    'GET /statement': (_, query) => book.statement(query.get('day') ?? ''),
    'GET /requests': () => server.requests(),
    'GET /violations': () => bank.violations().map(({ what }) => what),
  }
}

type Control = (body: any, query: URLSearchParams) => unknown

/** Starts the control port. */
export const startControl = async (
  controls: Readonly<Record<string, Control>>,
  port = 0,
): Promise<ControlPort> => {
  const server = createServer(async (request, response) => {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null))
    try {
      const url = new URL(request.url!, 'http://control')
      const control = controls[`${request.method} ${url.pathname}`]
      if (control === undefined) return say(404, { error: `${request.method} ${url.pathname} is no control` })
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const text = Buffer.concat(parts).toString()
      say(200, await control(text === '' ? {} : JSON.parse(text), url.searchParams))
    } catch (error) {
      say(422, { error: error instanceof Error ? error.message : String(error) })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
