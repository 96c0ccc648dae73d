import { request } from 'node:https'
import type { TlsIdentity } from '../certificates.ts'
import { instant } from '../days.ts'
import type { BankContext } from './context.ts'
import type { RailContract } from './contract/validator.ts'
import type { RailFaults } from './faults.ts'
import { type BankRefusal, refuse } from './problems.ts'

export type NoticeKind = 'pix' | 'rec' | 'cobr'

export type Registration = { readonly url: string; readonly createdMs: number; readonly chave: string | null }

/** One callback on its way: every attempt, and how each ended. */
export type NoticeDelivery = {
  readonly id: number
  readonly kind: NoticeKind
  readonly url: string
  readonly body: unknown
  readonly attempts: readonly { readonly atMs: number; readonly outcome: string }[]
  readonly state: 'WAITING' | 'DELIVERED' | 'LOST' | 'EXHAUSTED'
}

export type Webhooks = {
  readonly register: (of: {
    readonly kind: NoticeKind
    readonly chave: string | null
    readonly url: string
    readonly skipsMtls: boolean
  }) => Promise<Registration | BankRefusal>
  readonly find: (kind: NoticeKind, chave: string | null) => Registration | undefined
  readonly remove: (kind: NoticeKind, chave: string | null) => boolean
  readonly all: () => readonly Registration[]
  /** Sends what has happened to the registered address, at once and then as the bank repeats it. */
  readonly notify: (kind: NoticeKind, chave: string | null, item: unknown) => void
  /** Sends any body to a registered address or another, as the bank, with a foreign certificate, or with none. */
  readonly forge: (of: {
    readonly url: string
    readonly body: unknown
    readonly as: 'bank' | 'foreign' | 'none'
  }) => Promise<string>
  readonly deliveries: () => readonly NoticeDelivery[]
  /** Resolves when no callback is on its way. */
  readonly idle: () => Promise<void>
}

export type WebhookOptions = {
  readonly identity: TlsIdentity
  readonly foreign: TlsIdentity
  /** The authorities of the receivers' certificates. */
  readonly trusted: readonly string[]
  readonly faults: RailFaults
  readonly contract: RailContract
  readonly onViolation: (what: string, of: unknown) => void
}

/** Opens the addresses and the callbacks to them. */
export const openWebhooks = (
  { clock, profile }: BankContext,
  { identity, foreign, trusted, faults, contract, onViolation }: WebhookOptions,
): Webhooks => {
  const registrations = new Map<string, Registration>()
  const deliveries = new Map<number, NoticeDelivery>()
  const underWay = new Set<Promise<unknown>>()
  const { callback } = profile
  const keyOf = (kind: NoticeKind, chave: string | null) => `${kind} ${chave ?? ''}`

  const post = (url: string, body: unknown, as: TlsIdentity | null): Promise<string> =>
    postJson(url, body, { as, trusted, timeoutMs: callback.timeoutSeconds * 1000 })

  const tracked = (work: Promise<unknown>): void => {
    const settled = work.finally(() => underWay.delete(settled))
    underWay.add(settled)
  }

  const attempt = async (id: number): Promise<void> => {
    const before = deliveries.get(id)!
    const outcome = await post(before.url, before.body, identity)
    const attempts = [...before.attempts, { atMs: clock.nowMs(), outcome }]
    const wait = callback.retryMinutes[attempts.length - 1]
    const isTaken = /^2\d\d$/.test(outcome)
    const state = isTaken ? 'DELIVERED' : wait === undefined ? 'EXHAUSTED' : 'WAITING'
    deliveries.set(id, { ...before, attempts, state })
    if (state === 'WAITING') clock.at(clock.nowMs() + wait! * 60_000, () => attempt(id))
  }

  const send = (kind: NoticeKind, url: string, body: unknown): void => {
    const fault = faults.takeNotice()
    const copies = fault?.kind === 'repeat' ? fault.copies : 1
    for (let copy = 0; copy < copies; copy++) {
      const id = deliveries.size + 1
      const state = fault?.kind === 'lose' ? 'LOST' : 'WAITING'
      deliveries.set(id, { id, kind, url, body, attempts: [], state })
      if (fault?.kind === 'lose') continue
      if (fault?.kind === 'delay') clock.at(clock.nowMs() + fault.ms, () => attempt(id))
      else tracked(attempt(id))
    }
  }

  return {
    register: async ({ kind, chave, url, skipsMtls }) => {
      const name =
        kind === 'pix'
          ? 'WebhookOperacaoInvalida'
          : kind === 'rec'
            ? 'WebhookRecOperacaoInvalida'
            : 'WebhookCobROperacaoInvalida'
      if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
        return refuse(400, name, 'Campo webhook.webhookUrl não respeita o schema.')
      if (callback.probes) {
        const open = skipsMtls ? 'refused' : await post(url, {}, null)
        if (/^2\d\d$/.test(open))
          return refuse(
            400,
            'webhook_invalido',
            'A autenticação de TLS mútuo não está configurada na URL informada',
          )
        if (!/^2\d\d$/.test(await post(url, {}, identity)))
          return refuse(400, 'webhook_invalido', 'A URL informada está inacessível')
      }
      const registration = { url, createdMs: clock.nowMs(), chave }
      registrations.set(keyOf(kind, chave), registration)
      return registration
    },
    find: (kind, chave) => registrations.get(keyOf(kind, chave)),
    remove: (kind, chave) => registrations.delete(keyOf(kind, chave)),
    all: () => [...registrations.values()].filter(({ chave }) => chave !== null),
    notify: (kind, chave, item) => {
      const registration = registrations.get(keyOf(kind, chave))
      if (registration === undefined) return
      const list = { pix: 'pix', rec: 'recs', cobr: 'cobsr' }[kind]
      const body = { [list]: [item] }
      for (const wrong of contract.ofNotice(kind, body)) onViolation(`callback: ${wrong}`, body)
      const url = callback.appendsPath ? `${registration.url.replace(/\/$/, '')}/${kind}` : registration.url
      send(kind, url, callback.form === 'ARRAY' ? [item] : body)
    },
    forge: ({ url, body, as }) => post(url, body, { bank: identity, foreign, none: null }[as]),
    deliveries: () => [...deliveries.values()],
    idle: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

/** Posts JSON and says how it ended: the status, or the code of what went wrong. */
const postJson = (
  url: string,
  body: unknown,
  { as, trusted, timeoutMs }: { as: TlsIdentity | null; trusted: readonly string[]; timeoutMs: number },
): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json' },
        ...(as === null ? {} : { cert: as.cert, key: as.key }),
        ...(trusted.length === 0 ? {} : { ca: [...trusted] }),
        timeout: timeoutMs,
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      },
    )
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(JSON.stringify(body))
  })

/** A registration as `GET` shows it. */
export const webhookShownOf = ({ url, createdMs, chave }: Registration, cnpj: string) => ({
  webhookUrl: url,
  criacao: instant(createdMs),
  ...(chave === null ? {} : { chave, cnpj }),
})
