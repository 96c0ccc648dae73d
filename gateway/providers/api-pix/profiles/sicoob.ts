import { type BankProfile, unpublishedLimits } from '../profile.ts'

/** No secret: the certificate and the id are the credential. The test host takes the token that its portal shows. */
export const sicoob: BankProfile = {
  name: 'sicoob',
  label: 'Sicoob',
  institution: '02038232',
  clearingCode: 756,
  apiVersion: '2.9.0',
  hosts: {
    PRODUCTION: {
      token: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
      api: 'https://api.sicoob.com.br',
      prefix: '/pix/api',
    },
    TEST: {
      token: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
      api: 'https://sandbox.sicoob.com.br',
      prefix: '/sicoob/sandbox/pix/api',
    },
  },
  versions: {},
  token: { client: 'ID_ONLY', form: 'FORM', scopesAreRequested: true, isFixedAtTestHost: true },
  headers: [{ name: 'client_id', is: 'CLIENT_ID' }],
  hook: { appendsPath: true, headers: {} },
  windowDaysMax: null,
  limits: unpublishedLimits,
  medFeed: null,
  payOut: null,
  statement: { kind: 'SICOOB', prefixes: { PRODUCTION: '', TEST: '/sicoob/sandbox' } },
  tariffIn: null,
  taxWithheldIn: null,
  payerIn: null,
}
