/** What the Worker uses of `age-encryption`: the bundle leaves out what no file here names. */
export { Encrypter } from 'age-encryption'
