import { existsSync, readdirSync } from 'node:fs';

const devices = ['/dev/nvidiactl', '/dev/nvidia0', '/dev/dxg', '/dev/nvhost-gpu', '/dev/nvmap'];

/**
 * False on a Linux without a device of NVIDIA's driver: desktop cards, WSL and Jetson. Asking first saves `auto` from loading
 * TensorFlow's library, which takes a second and prints notes. CUDA_VISIBLE_DEVICES says that there is one.
 */
export function mayHaveNvidiaGpu(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'linux') return true;
  return (environment['CUDA_VISIBLE_DEVICES'] ?? '') !== '' || devices.some(existsSync) || hasCapabilities();
}

/** Some containers have the devices under other names, but always this folder of the driver. */
function hasCapabilities(): boolean {
  try {
    return readdirSync('/proc/driver/nvidia/gpus').length > 0;
  } catch {
    return false;
  }
}
