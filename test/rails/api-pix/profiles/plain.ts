import type { SimulatedProfile } from './profile.ts'

/** A bank that does what the document says, and nothing else. */
export const plainBank: SimulatedProfile = {
  name: 'plain',
  label: 'Banco Exemplo',
  ispb: '99999004',
  version: '2.10.0',
  base: '/api/v2',
  tokenPath: '/oauth/token',
  clientAuth: 'BASIC',
  tokenSeconds: 3600,
  headers: [],
  callback: {
    appendsPath: true,
    form: 'OBJECT',
    retryMinutes: [1, 5, 15],
    timeoutSeconds: 10,
    probes: false,
    showsPayer: false,
  },
  errors: 'PROBLEM',
  showsComponents: true,
  repeatedPut: 'REVISION',
  windowDaysMax: null,
  medFeed: null,
  sends: null,
  statement: null,
}
