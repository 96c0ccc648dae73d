import { chooseUws } from '../../gateway/wire/uws-builds.ts'

const { TRANSPORT } = process.env

/** What the service can start with on this Node, or the one that TRANSPORT names. */
export const transports = TRANSPORT ? [TRANSPORT] : chooseUws().build === null ? ['node'] : ['uws', 'node']
