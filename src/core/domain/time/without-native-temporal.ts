// The polyfill hands over to a native Temporal where there is one. Deployed Workers have had one
// that local workerd and Node 24 lack (cloudflare/workerd#6907), and what was tested is what should
// run. Import this before the polyfill.
Reflect.deleteProperty(globalThis, 'Temporal')
export {}
