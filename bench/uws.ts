import { chooseUws, loadUws, type NativeUws } from '../gateway/wire/uws-builds.ts'

/** The native build that the service would take, for the parts of a bench that must cost as little as possible. */
const load = (): NativeUws => {
  const { build } = chooseUws()
  if (build === null) throw new Error('no native build of uWebSockets.js loads on this Node')
  return loadUws(build)
}

export const uws = load()
