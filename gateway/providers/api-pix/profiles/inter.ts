import type { BankProfile } from '../profile.ts'

/** The account is named where an application has several. PIX are sent under an idempotency key, 60 a minute. */
export const inter: BankProfile = {
  name: 'inter',
  label: 'Banco Inter',
  institution: '00416968',
  clearingCode: 77,
  apiVersion: '2.9.0',
  hosts: {
    PRODUCTION: {
      token: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
      api: 'https://cdpj.partners.bancointer.com.br',
      prefix: '/pix',
    },
    TEST: {
      token: 'https://cdpj-sandbox.partners.uatinter.co/oauth/v2/token',
      api: 'https://cdpj-sandbox.partners.uatinter.co',
      prefix: '/pix',
    },
  },
  versions: {},
  token: { client: 'BODY', form: 'FORM', scopesAreRequested: true, isFixedAtTestHost: false },
  headers: [{ name: 'x-conta-corrente', is: 'ACCOUNT' }],
  hook: { appendsPath: false, headers: {} },
  windowDaysMax: null,
  limits: {
    inFlightMax: 64,
    waitingMax: 1_000,
    rates: [{ operations: ['PAY_OUT'], capacity: 1, perMinute: 60 }],
  },
  medFeed: null,
  payOut: { kind: 'INTER', repeatableHours: 24 },
  statement: { kind: 'INTER' },
  tariffIn: null,
  taxWithheldIn: null,
  payerIn: null,
}
