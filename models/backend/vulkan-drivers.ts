import { readdirSync } from 'node:fs';

const folders = [
  '/usr/share/vulkan/icd.d',
  '/usr/local/share/vulkan/icd.d',
  '/etc/vulkan/icd.d',
  '/usr/local/etc/vulkan/icd.d',
];
const variables = [
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
  'VK_ADD_DRIVER_FILES',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
];

/**
 * False on a Linux where no Vulkan driver is described in any of the places that its loader reads. Asking first keeps the
 * loader from warning on the terminal of a machine that simply has no GPU.
 */
export function mayHaveVulkanDriver(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'linux') return true;
  return variables.some((name) => (environment[name] ?? '') !== '') || folders.some(hasEntries);
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // a folder that is not there describes no driver
  }
}
