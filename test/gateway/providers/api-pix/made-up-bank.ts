import { type BankProfile, unpublishedLimits } from '../../../../gateway/providers/api-pix/profile.ts'

/** A sixth bank, made up: a file of data as in `profiles/`, for the simulator's bank that does what the document says and nothing else. */
export const aProfile: BankProfile = {
  name: 'banco-exemplo',
  label: 'Banco Exemplo',
  institution: '12345678',
  clearingCode: 999,
  apiVersion: '2.10.0',
  hosts: {
    PRODUCTION: { token: 'https://api.example/oauth/token', api: 'https://api.example', prefix: '/api' },
    TEST: { token: 'https://test.example/oauth/token', api: 'https://test.example', prefix: '/api' },
  },
  versions: {},
  token: { client: 'BASIC', form: 'FORM', scopesAreRequested: true, isFixedAtTestHost: false },
  headers: [],
  hook: { appendsPath: true, headers: {} },
  windowDaysMax: null,
  limits: unpublishedLimits,
  medFeed: null,
  payOut: null,
  statement: null,
  tariffIn: null,
  taxWithheldIn: null,
  payerIn: null,
}
