import { plainBank } from './plain.ts'
import type { SimulatedProfile } from './profile.ts'

/**
 * The banks that can be simulated, by name; each line differs from the document in what rails.md 2.8 and the README of this folder say.
 */
export const simulatedProfiles: Readonly<Record<string, SimulatedProfile>> = {
  plain: plainBank,
  /** Every call carries the application's key; MEDs by a filter of its own list. */
  'banco-do-brasil': {
    ...plainBank,
    name: 'banco-do-brasil',
    label: 'Banco do Brasil',
    ispb: '00000000',
    version: '2.9.0',
    base: '/pix/v2',
    tokenSeconds: 600,
    headers: [{ name: 'gw-dev-app-key', is: 'APP_KEY', orQuery: true }],
    medFeed: 'BB',
    statement: 'BB',
  },
  /** Three headers; the bank appends `/pix` to the address of callbacks. */
  itau: {
    ...plainBank,
    name: 'itau',
    label: 'Itaú',
    ispb: '60701190',
    version: '2.9.0',
    base: '/pix_recebimentos/v2',
    tokenPath: '/api/oauth/token',
    clientAuth: 'BODY',
    tokenSeconds: 300,
    headers: [
      { name: 'x-itau-apikey', is: 'CLIENT_ID' },
      { name: 'x-itau-correlationID', is: 'UUID' },
      { name: 'x-itau-flowID', is: 'TEXT' },
    ],
  },
  /** No secret: the certificate and the id are the credential, and the id comes with every call. */
  sicoob: {
    ...plainBank,
    name: 'sicoob',
    label: 'Sicoob',
    ispb: '02038232',
    version: '2.9.0',
    base: '/pix/api/v2',
    tokenPath: '/auth/realms/cooperado/protocol/openid-connect/token',
    clientAuth: 'ID_ONLY',
    tokenSeconds: 300,
    headers: [{ name: 'client_id', is: 'CLIENT_ID' }],
    statement: 'SICOOB',
  },
  /** Callbacks are a bare list; the account is named where an application has several; PIX are sent with a UUID. */
  inter: {
    ...plainBank,
    name: 'inter',
    label: 'Banco Inter',
    ispb: '00416968',
    version: '2.9.0',
    base: '/pix/v2',
    tokenPath: '/oauth/v2/token',
    clientAuth: 'BODY',
    tokenSeconds: 3600,
    headers: [{ name: 'x-conta-corrente', is: 'ACCOUNT' }],
    callback: { ...plainBank.callback, appendsPath: false, form: 'ARRAY' },
    sends: 'INTER',
    statement: 'INTER',
  },
  /** Errors of its own form, two probes of each address, MEDs as a list, PIX sent under an id of ours. */
  efi: {
    ...plainBank,
    name: 'efi',
    label: 'Efí',
    ispb: '09089356',
    version: '2.9.0',
    base: '/v2',
    tokenSeconds: 3600,
    callback: {
      appendsPath: true,
      form: 'OBJECT',
      retryMinutes: [5, 10, 20, 40, 80, 160, 320, 640, 1280, 52_560],
      timeoutSeconds: 60,
      probes: true,
      showsPayer: true,
    },
    errors: 'EFI',
    showsComponents: false,
    repeatedPut: 'REFUSED',
    medFeed: 'EFI',
    sends: 'EFI',
  },
}
