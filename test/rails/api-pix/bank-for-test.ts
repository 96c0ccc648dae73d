import { request } from 'node:https'
import type { TlsIdentity } from '../certificates.ts'
import { type RunningBank, type StartOptions, startSimulatedBank } from './start.ts'

/** A bank for one test, which fails the test that asks it for what API Pix forbids, or that it answers so. */
export type BankForTest = RunningBank & {
  /** From now on violations of this form are what the test is about. */
  readonly expectViolation: (form: RegExp) => void
  /** Asks the bank as its client does: with certificate, token and headers; paths are below the bank's base. */
  readonly ask: Ask
  /** The same with a whole path, and with what a test wants to be different. */
  readonly askAt: (verb: string, path: string, given?: Given) => Promise<RailReply>
  /** A token as a careful client holds it: renewed when it has ended. */
  readonly currentToken: () => Promise<string>
  /** Uses the control port as another process would. */
  readonly hold: (control: string, body?: unknown) => Promise<any>
}

type Ask = (verb: string, path: string, body?: unknown) => Promise<RailReply>
type Given = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly identity?: TlsIdentity | null
  readonly form?: Readonly<Record<string, string>>
}
export type RailReply = {
  /** Null where no answer came; `error` says why. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: any
  readonly error: string | null
}

/** Starts a bank that ends with the test. */
export const bankFor = async (
  t: { readonly teardown: (end: () => unknown) => void; readonly fail: (what: string) => unknown },
  options: StartOptions = {},
): Promise<BankForTest> => {
  const expected: RegExp[] = []
  const running = await startSimulatedBank({
    report: ({ what }) => {
      if (!expected.some((form) => form.test(what))) t.fail(`API Pix does not allow it: ${what}`)
    },
    ...options,
  })
  t.teardown(running.stop)
  const { server, client, clientIdentity, authority, bank } = running
  const { profile } = bank.context
  let held: { readonly token: string; readonly untilMs: number } | null = null

  const askAt: BankForTest['askAt'] = (
    verb,
    path,
    { body, headers = {}, identity = clientIdentity, form } = {},
  ) =>
    new Promise((resolve) => {
      const text = form !== undefined ? new URLSearchParams(form).toString() : JSON.stringify(body)
      const none = { status: null, headers: {}, body: undefined }
      const sent = request(
        server.url + path,
        {
          method: verb,
          agent: false,
          ca: authority.cert,
          ...(identity === null ? {} : { cert: identity.cert, key: identity.key }),
          headers: {
            ...(text === undefined
              ? {}
              : {
                  'content-type':
                    form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
                }),
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part) => parts.push(part))
          response.on('error', (error: NodeJS.ErrnoException) =>
            resolve({ ...none, error: error.code ?? error.message }),
          )
          response.on('end', () => {
            const whole = Buffer.concat(parts).toString()
            const isJson = /json/.test(response.headers['content-type'] ?? '')
            resolve({
              status: response.statusCode!,
              headers: response.headers as Record<string, string>,
              body: whole === '' ? undefined : isJson ? JSON.parse(whole) : whole,
              error: null,
            })
          })
        },
      )
      sent.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ ...none, error: error.code ?? error.message }),
      )
      sent.end(text)
    })

  const headersOf = (given: string): Record<string, string> => ({
    authorization: `Bearer ${given}`,
    ...Object.fromEntries(
      profile.headers.map(({ name, is }) => [
        name,
        {
          CLIENT_ID: client.clientId,
          APP_KEY: client.appKey,
          UUID: '0f8fad5b-d9cb-469f-a165-70867728950e',
          ACCOUNT: running.receiver.conta,
          TEXT: 'flow',
        }[is],
      ]),
    ),
  })

  const getToken = async (): Promise<string> => {
    const { clientId, clientSecret } = client
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const reply = await askAt('POST', profile.tokenPath, {
      form: {
        grant_type: 'client_credentials',
        ...(profile.clientAuth === 'BASIC' ? {} : { client_id: clientId }),
        ...(profile.clientAuth === 'BODY' ? { client_secret: clientSecret } : {}),
      },
      headers: profile.clientAuth === 'BASIC' ? { authorization: `Basic ${basic}` } : {},
    })
    if (reply.status !== 200)
      throw new Error(`no token: ${reply.status} ${reply.error} ${JSON.stringify(reply.body)}`)
    const untilMs = running.clock.nowMs() + reply.body.expires_in * 1000
    held = { token: reply.body.access_token, untilMs }
    return held.token
  }
  const currentToken = async (): Promise<string> =>
    held !== null && held.untilMs > running.clock.nowMs() ? held.token : getToken()

  return {
    ...running,
    expectViolation: (form) => {
      expected.push(form)
    },
    askAt: async (verb, path, given = {}) => {
      if (given.headers?.authorization !== undefined || path === profile.tokenPath)
        return askAt(verb, path, given)
      const token = await currentToken()
      return askAt(verb, path, { ...given, headers: { ...headersOf(token), ...given.headers } })
    },
    ask: async (verb, path, body) =>
      askAt(verb, profile.base + path, { body, headers: headersOf(await currentToken()) }),
    currentToken,
    hold: async (control, body) => {
      const [verb, path] = control.split(' ')
      const response = await fetch(running.control.url + path, {
        method: verb!,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer: any = await response.json()
      if (!response.ok) throw new Error(answer.error)
      return answer
    },
  }
}

/** A txid as the service makes them. */
export const txidOf = (number: number): string => `t${String(number).padStart(31, '0')}`

/** A body of `PUT /cob` that the simulator's bank takes. */
export const aCob = (valor = '12.34', more: object = {}): object => ({
  calendario: { expiracao: 3600 },
  valor: { original: valor },
  chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  ...more,
})

/** A body of `PUT /cobv`. */
export const aCobv = (dataDeVencimento: string, more: object = {}): object => ({
  calendario: { dataDeVencimento, validadeAposVencimento: 0 },
  devedor: { cpf: '52998224725', nome: 'Maria da Silva' },
  valor: { original: '100.00' },
  chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  ...more,
})
