import { type BankProfile, unpublishedLimits } from '../profile.ts'

/** The application's key comes with every call. Which PIX are contested is a filter of a list of its own that names no infraction. */
export const bancoDoBrasil: BankProfile = {
  name: 'banco-do-brasil',
  label: 'Banco do Brasil',
  institution: '00000000',
  clearingCode: 1,
  apiVersion: '2.9.0',
  hosts: {
    PRODUCTION: {
      token: 'https://oauth.bb.com.br/oauth/token',
      api: 'https://api-pix.bb.com.br',
      prefix: '/pix',
    },
    TEST: {
      token: 'https://oauth.hm.bb.com.br/oauth/token',
      api: 'https://api-pix.hm.bb.com.br',
      prefix: '/pix',
    },
  },
  versions: {},
  token: { client: 'BASIC', form: 'FORM', scopesAreRequested: true, isFixedAtTestHost: false },
  headers: [{ name: 'gw-dev-app-key', is: 'APP_KEY' }],
  hook: { appendsPath: true, headers: {} },
  windowDaysMax: null,
  limits: unpublishedLimits,
  medFeed: null,
  payOut: null,
  statement: {
    kind: 'BB',
    hosts: { PRODUCTION: 'https://api-extratos.bb.com.br', TEST: 'https://api.hm.bb.com.br' },
  },
  tariffIn: null,
  taxWithheldIn: null,
  payerIn: 'pagador',
}
